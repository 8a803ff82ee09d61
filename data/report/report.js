// Copyright (c) 2026 The odcn authors
// SPDX-License-Identifier: GPL-2.0-only
//
// Draws the record in the element "run". Numbers come from the run; this script only places them.
'use strict';
(() => {
const parse = text => JSON.parse(text);
const runs = [parse(document.getElementById('run').textContent)];
const library = typeof d3 === 'undefined' ? null : d3;
const dark = matchMedia('(prefers-color-scheme: dark)');
const chosen = {}; // facet and scale by title of a chart
const names = {series: [], class: [], uplink: []}; // of all charts, so that each keeps its colour
const HEIGHT = 320;
const ROWS = 100; // of a table of data
const ORDER = ['estimates', 'cdf', 'curves', 'circuits', 'heatmap', 'timeline']; // of charts on the page
const FONT = '12px system-ui, "DejaVu Sans", sans-serif';
const LIGHT = ['#1f6fb4', '#c2410c', '#15803d', '#7c3aed', '#b91c1c', '#0e7490', '#a16207', '#be185d',
  '#4d7c0f', '#475569', '#1e3a8a', '#86198f'];
const DARK = ['#60a5fa', '#fb923c', '#4ade80', '#c084fc', '#f87171', '#22d3ee', '#facc15', '#f472b6',
  '#a3e635', '#cbd5e1', '#93c5fd', '#f0abfc'];

const theme = () => dark.matches
  ? {colours: DARK, text: '#e7ebf0', quiet: '#a5b0bc', line: '#39424c', ground: '#14181d'}
  : {colours: LIGHT, text: '#1b1f24', quiet: '#56606b', line: '#d3d9e0', ground: '#ffffff'};
const indexOf = (name, group = 'series') => {
  if (!names[group].includes(name)) names[group].push(name);
  return names[group].indexOf(name);
};
const colour = (name, group) => theme().colours[indexOf(name, group) % 12];
const dash = name => ['', '5 3', '1.5 3', '8 3 2 3'][Math.floor(indexOf(name) / 12) % 4];

// An element. Texts are never read as HTML.
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const slug = text => text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
const number = value => value === null || value === undefined ? '-' : String(value);
const looksNumeric = cell => cell === '' || /^[-+.<0-9]/.test(cell);

const save = (name, type, text) => {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const link = make('a', {href: url, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};
const toCsv = chart => [chart.columns, ...chart.rows].map(row => row.map(cell => {
  const text = cell === null ? '' : String(cell);
  return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}).join(',')).join('\n') + '\n';

const makeTable = (label, header, rows) => {
  const numeric = header.map((_, i) => rows.every(row => !row.length || looksNumeric(row[i])));
  const head = make('tr', {}, ...header.map((title, i) =>
    make('th', {scope: 'col', class: numeric[i] ? 'number' : ''}, title)));
  const body = make('tbody');
  let rule = false;
  for (const row of rows) {
    if (!row.length) {
      rule = true;
      continue;
    }
    body.append(make('tr', {class: rule ? 'rule' : ''}, ...row.map((cell, i) =>
      make(i || cell === '' ? 'td' : 'th', {...(i || cell === '' ? {} : {scope: 'row'}), class: numeric[i] ? 'number' : ''}, cell))));
    rule = false;
  }
  return make('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table: ' + label},
    make('table', {}, make('thead', {}, head), body));
};

// --- Charts: each draws into an SVG element of the given width and returns its height.

const widthOf = text => 6.9 * text.length + 2;
const cut = (text, width) => {
  const most = Math.max(4, Math.floor(width / 6.9));
  return text.length > most ? text.slice(0, most - 1) + '\u2026' : text;
};
// Up to six digits, powers of ten from a million on.
const format = value => Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-4)
  ? library.format('.3~g')(value).replace('+', '') : library.format('.6~g')(value);

const axis = (g, kind, scale, length, other, title) => {
  const look = theme();
  const log = Boolean(scale.base);
  const count = Math.max(2, Math.floor(length / (kind === 'x' ? 75 : 40)));
  let ticks = scale.ticks(count);
  if (log && ticks.length > count) {
    const tens = ticks.filter(tick => Math.abs(Math.log10(tick) % 1) < 1e-9);
    ticks = tens.length > 1 ? tens : ticks.filter((_, i) => i % Math.ceil(ticks.length / count) === 0);
    ticks = ticks.filter((_, i) => i % Math.ceil(ticks.length / count) === 0);
  }
  const part = g.append('g');
  for (const tick of ticks) {
    const at = scale(tick);
    part.append('line').attr('stroke', look.line)
      .attr('x1', kind === 'x' ? at : 0).attr('x2', kind === 'x' ? at : other)
      .attr('y1', kind === 'x' ? 0 : at).attr('y2', kind === 'x' ? other : at);
    part.append('text').attr('fill', look.quiet)
      .attr('x', kind === 'x' ? at : -6).attr('y', kind === 'x' ? other + 16 : at + 4)
      .attr('text-anchor', kind === 'x' ? 'middle' : 'end').text(format(tick));
  }
  if (kind === 'x') {
    part.append('text').attr('fill', look.text).attr('x', length / 2).attr('y', other + 34)
      .attr('text-anchor', 'middle').text(cut(title, length + 40));
  } else {
    part.append('text').attr('fill', look.text).attr('x', -50).attr('y', -14).text(cut(title, other + 40));
  }
};

// The key below a chart; returns its height.
const drawKey = (g, entries, width, top, group) => {
  let x = 0;
  let y = top;
  for (const {name, symbol, bound} of entries) {
    const wide = 26 + widthOf(name);
    if (x > 0 && x + wide > width) {
      x = 0;
      y += 18;
    }
    const look = bound ? theme().quiet : colour(name, group);
    const item = g.append('g').attr('transform', `translate(${x},${y})`);
    if (symbol === 'box') {
      item.append('rect').attr('width', 14).attr('height', 10).attr('y', -9).attr('fill', look);
    } else {
      item.append('line').attr('x2', 18).attr('y1', -4).attr('y2', -4).attr('stroke', look)
        .attr('stroke-width', 2).attr('stroke-dasharray', bound ? '6 4' : dash(name));
    }
    item.append('text').attr('x', 23).attr('fill', theme().text).text(cut(name, width - 30));
    x += wide + 8;
  }
  return y - top + 18;
};

const domain = (values, log, fromZero) => {
  const sound = values.filter(value => value !== null && Number.isFinite(value) && (!log || value > 0));
  if (!sound.length) return log ? [1, 10] : [0, 1];
  let [least, most] = library.extent(sound);
  if (fromZero && !log) [least, most] = [Math.min(0, least), Math.max(0, most)];
  if (least === most) [least, most] = log ? [least / 2, most * 2] : [least - (least ? Math.abs(least) / 10 : 0), most + (Math.abs(most) / 10 || 1)];
  return [least, most];
};
const scaleOf = (log, values, range, fromZero, nice = true) => {
  const scale = (log ? library.scaleLog() : library.scaleLinear()).domain(domain(values, log, fromZero)).range(range);
  if (nice && !log) scale.nice();
  return scale.clamp(true);
};
const label = (mark, text) => mark.append('title').text(text);
const interval = row => number(row.value) + (row.lower === null || row.upper === null || row.lower === row.upper
  ? '' : ` (${row.lower} to ${row.upper})`);

const drawDots = (svg, rows, width, chart, state, all) => {
  const bounds = rows.filter(row => row.bound);
  const dots = rows.filter(row => !row.bound);
  const left = Math.min(width * 0.42, Math.max(...dots.map(row => widthOf(row.series)), 30) + 10);
  const inner = width - left - 16;
  const height = dots.length * 22 + 8;
  const g = svg.append('g').attr('transform', `translate(${left},12)`);
  const scale = scaleOf(state.log, all.flatMap(row => [row.value, row.lower, row.upper]), [0, inner], true);
  axis(g, 'x', scale, inner, height, chart.y);
  bounds.forEach(row => {
    const at = scale(row.value);
    label(g.append('line').attr('x1', at).attr('x2', at).attr('y2', height).attr('stroke', theme().quiet)
      .attr('stroke-width', 2).attr('stroke-dasharray', '6 4'), `${row.series}: ${interval(row)}`);
  });
  dots.forEach((row, i) => {
    const y = i * 22 + 14;
    g.append('text').attr('x', -8).attr('y', y + 4).attr('text-anchor', 'end').attr('fill', theme().text)
      .text(cut(row.series, left - 8));
    if (row.value === null) return;
    const mark = g.append('g');
    label(mark, `${row.series}: ${interval(row)}`);
    if (row.lower !== null && row.upper !== null) {
      mark.append('line').attr('x1', scale(row.lower)).attr('x2', scale(row.upper)).attr('y1', y).attr('y2', y)
        .attr('stroke', colour(row.series)).attr('stroke-width', 2);
    }
    mark.append('circle').attr('cx', scale(row.value)).attr('cy', y).attr('r', 4.5).attr('fill', colour(row.series));
  });
  const key = drawKey(svg.append('g').attr('transform', 'translate(4,0)'),
    bounds.map(row => ({name: row.series, bound: true})), width, height + 66);
  return height + 52 + (bounds.length ? key : 0);
};

const frame = width => ({left: 62, inner: width - 62 - 14, height: HEIGHT - 80, top: 32});

const drawLines = (svg, rows, width, chart, state, all, get) => {
  const {left, inner, height, top} = frame(width);
  const g = svg.append('g').attr('transform', `translate(${left},${top})`);
  const ys = all.flatMap(row => [get.y(row), get.lower(row), get.upper(row)]);
  const edge = get.dots ? 16 : 0; // room for marks side by side
  const x = scaleOf(get.logX, all.map(get.x), [edge, inner - edge], false, false);
  const y = get.share ? library.scaleLinear().domain([0, 1]).range([height, 0])
    : scaleOf(state.log, ys, [height, 0], true);
  axis(g, 'x', x, inner, height, chart.x);
  axis(g, 'y', y, height, inner, chart.y);
  const drawn = value => value !== null && (!state.log || get.share || value > 0);
  const bySeries = library.nest().key(row => row.series).entries(rows);
  const apart = Math.min(5, 2 * edge / bySeries.length);
  for (const [i, {key, values}] of bySeries.entries()) {
    const bound = Boolean(values[0].bound);
    const look = bound ? theme().quiet : colour(key);
    const points = values.filter(row => drawn(get.y(row)) && get.x(row) !== null);
    if (get.band && points.some(row => get.lower(row) !== get.upper(row))) {
      g.append('path').attr('fill', look).attr('opacity', 0.18).attr('d', library.area()
        .defined(row => drawn(get.lower(row)) && drawn(get.upper(row)))
        .x(row => x(get.x(row))).y0(row => y(get.lower(row))).y1(row => y(get.upper(row)))(points));
    }
    const shift = get.dots && !bound ? (i - (bySeries.length - 1) / 2) * apart : 0;
    const line = library.line().x(row => x(get.x(row)) + shift).y(row => y(get.y(row)));
    if (get.share) line.curve(library.curveStepAfter);
    label(g.append('path').attr('fill', 'none').attr('stroke', look)
      .attr('stroke-dasharray', bound ? '6 4' : dash(key)).attr('stroke-linecap', points.length === 1 ? 'round' : 'butt')
      .attr('stroke-width', points.length === 1 ? 6 : 2).attr('d', line(points)), key);
    if (get.dots && !bound) {
      for (const row of points) {
        const mark = g.append('g').attr('transform', `translate(${shift},0)`);
        label(mark, `${key} at ${get.x(row)}: ${interval(row)}`);
        if (drawn(row.lower) && drawn(row.upper) || (row.lower !== null && row.upper !== null)) {
          mark.append('line').attr('stroke', look).attr('stroke-width', 1.5).attr('x1', x(get.x(row)))
            .attr('x2', x(get.x(row))).attr('y1', y(Math.max(row.lower, y.domain()[0]))).attr('y2', y(row.upper));
        }
        mark.append('circle').attr('cx', x(get.x(row))).attr('cy', y(row.value)).attr('r', 3.5).attr('fill', look);
      }
    }
  }
  return top + height + 62 - 18 + drawKey(svg.append('g').attr('transform', 'translate(4,0)'),
    bySeries.map(({key, values}) => ({name: key, bound: Boolean(values[0].bound)})), width - 4, top + height + 58);
};

const isNumber = value => value !== '' && Number.isFinite(Number(value));
const drawEstimates = (svg, rows, width, chart, state, all) => {
  const places = new Set(rows.map(row => row.x));
  if (places.size > 1 && [...places].every(isNumber)) {
    return drawLines(svg, rows, width, chart, state, all, {x: row => Number(row.x), y: row => row.value,
      lower: row => row.lower, upper: row => row.upper, dots: true});
  }
  return drawDots(svg, rows, width, chart, state, all);
};
const drawCdf = (svg, rows, width, chart, state, all) => {
  const [least, most] = domain(all.map(row => row.value), true);
  return drawLines(svg, rows, width, chart, state, all, {x: row => row.value, y: row => row.share,
    lower: () => null, upper: () => null, share: true, logX: least > 0 && most / least > 50});
};
const drawCurves = (svg, rows, width, chart, state, all) => drawLines(svg, rows, width, chart, state, all,
  {x: row => row.x, y: row => row.y, lower: row => row.lower, upper: row => row.upper, band: true});

const drawHeatmap = (svg, rows, width, chart, state, all) => {
  const places = [...new Set(rows.map(row => row.place))];
  const {top} = frame(width);
  const left = Math.max(40, Math.min(width * 0.3, Math.max(...places.map(place => widthOf(String(place)))) + 10));
  const inner = width - left - 14;
  const each = Math.max(4, Math.min(18, 340 / places.length));
  const height = each * places.length;
  const g = svg.append('g').attr('transform', `translate(${left},${top})`);
  const x = library.scaleLinear().domain([library.min(rows, row => row.begin), library.max(rows, row => row.end)]).range([0, inner]);
  const [least, most] = domain(all.map(row => row.value), false, true);
  const shade = library.scaleSequential(library.interpolateViridis).domain([least, most]);
  axis(g, 'x', x, inner, height, chart.x);
  for (const row of rows) {
    const from = x(row.begin);
    const mark = g.append('rect').attr('x', from).attr('width', Math.max(0.5, x(row.end) - from + 0.4))
      .attr('y', places.indexOf(row.place) * each).attr('height', each + 0.2)
      .attr('fill', row.value === null ? theme().line : shade(row.value));
    label(mark, `${row.place}, ${row.begin} to ${row.end}: ${number(row.value)}`);
  }
  const step = Math.ceil(13 / each);
  places.forEach((place, i) => {
    if (i % step === 0) {
      g.append('text').attr('x', -6).attr('y', (i + 0.5) * each + 4).attr('text-anchor', 'end')
        .attr('fill', theme().quiet).text(cut(String(place), left - 8));
    }
  });
  // The key: shades with their values.
  const bar = g.append('g').attr('transform', `translate(0,${height + 46})`);
  const long = Math.min(220, inner);
  for (let i = 0; i < 44; ++i) {
    bar.append('rect').attr('x', i * long / 44).attr('width', long / 44 + 0.5).attr('height', 10)
      .attr('fill', shade(least + (most - least) * i / 43));
  }
  bar.append('text').attr('y', 24).attr('fill', theme().quiet).text(format(least));
  bar.append('text').attr('y', 24).attr('x', long).attr('text-anchor', 'end').attr('fill', theme().quiet).text(format(most));
  bar.append('text').attr('y', 38).attr('fill', theme().text).text(cut(chart.y, inner + 50));
  return top + height + 92;
};

const drawTimeline = (svg, rows, width, chart, state, all) => {
  const {left, inner, top} = frame(width);
  const bars = [...new Set(rows.map(row => row.bar))];
  const each = Math.max(1.5, Math.min(12, 380 / bars.length));
  const height = each * bars.length;
  const g = svg.append('g').attr('transform', `translate(${left},${top})`);
  const x = library.scaleLinear().domain(library.extent(all.flatMap(row => [row.begin, row.end]))).range([0, inner]);
  axis(g, 'x', x, inner, height, chart.x);
  const at = new Map(bars.map((bar, i) => [bar, i]));
  for (const row of rows) {
    const mark = g.append('rect').attr('x', x(row.begin)).attr('width', Math.max(1, x(row.end) - x(row.begin)))
      .attr('y', at.get(row.bar) * each).attr('height', Math.max(1, each * 0.8)).attr('fill', colour(row.class, 'class'));
    label(mark, `${row.bar}: ${row.begin} to ${row.end}, ${row.class}`);
  }
  g.append('text').attr('x', -50).attr('y', -14).attr('fill', theme().text).text(cut(chart.y, inner + 40));
  const classes = [...new Set(rows.map(row => row.class))];
  return top + height + 44 + drawKey(svg.append('g').attr('transform', 'translate(4,0)'),
    classes.map(name => ({name, symbol: 'box'})), width - 4, top + height + 58, 'class');
};

const drawCircuits = (svg, rows, width, chart, state) => {
  const racks = 1 + library.max(rows, row => Math.max(row.rack, row.to === '' ? 0 : row.to));
  const {left, top} = frame(width);
  const side = Math.min(width - left - 14, 440);
  const each = side / racks;
  const g = svg.append('g').attr('transform', `translate(${left},${top})`);
  const open = new Map();
  for (const row of rows) {
    if (row.time > state.time) break;
    if (row.to === '') open.delete(row.rack + ' ' + row.uplink);
    else open.set(row.rack + ' ' + row.uplink, row);
  }
  for (let i = 0; i <= racks; i += Math.ceil(racks / 32)) {
    g.append('path').attr('stroke', theme().line).attr('d', `M0,${i * each}H${side}M${i * each},0V${side}`);
  }
  const step = Math.ceil(22 / each);
  for (let i = 0; i < racks; i += step) {
    g.append('text').attr('x', -6).attr('y', (i + 0.5) * each + 4).attr('text-anchor', 'end').attr('fill', theme().quiet).text(i);
    g.append('text').attr('x', (i + 0.5) * each).attr('y', side + 16).attr('text-anchor', 'middle').attr('fill', theme().quiet).text(i);
  }
  const uplinks = [...new Set(rows.map(row => row.uplink))].sort((a, b) => a - b);
  uplinks.forEach(uplink => indexOf('uplink ' + uplink, 'uplink'));
  for (const row of open.values()) {
    const mark = g.append('rect').attr('x', row.to * each + 0.5).attr('y', row.rack * each + 0.5)
      .attr('width', Math.max(1, each - 1)).attr('height', Math.max(1, each - 1)).attr('fill', colour('uplink ' + row.uplink, 'uplink'));
    label(mark, `rack ${row.rack} to rack ${row.to} by uplink ${row.uplink}, since ${row.time}`);
  }
  g.append('text').attr('x', -50).attr('y', -14).attr('fill', theme().text).text('from rack');
  g.append('text').attr('x', side / 2).attr('y', side + 34).attr('text-anchor', 'middle').attr('fill', theme().text).text('to rack');
  state.open = open.size;
  return top + side + 44 + drawKey(svg.append('g').attr('transform', 'translate(4,0)'),
    uplinks.map(uplink => ({name: 'uplink ' + uplink, symbol: 'box'})), width - 4, top + side + 58, 'uplink');
};

const draw = {estimates: drawEstimates, cdf: drawCdf, curves: drawCurves, heatmap: drawHeatmap,
  timeline: drawTimeline, circuits: drawCircuits};

// Rows as objects, by facet.
const objects = chart => {
  if (!chart.objects) {
    chart.objects = new Map();
    for (const row of chart.rows) {
      const one = {};
      chart.columns.forEach((column, i) => { one[column] = row[i]; });
      if (!chart.objects.has(one.facet)) chart.objects.set(one.facet, []);
      chart.objects.get(one.facet).push(one);
    }
  }
  return chart.objects;
};

// A chart of a run with its controls. Peers are the charts of that title of all runs.
const makeFigure = (chart, run, peers) => {
  const state = chosen[chart.title] = chosen[chart.title] || {log: false};
  const facets = [...objects(chart).keys()];
  const svg = library.select(document.createElementNS('http://www.w3.org/2000/svg', 'svg'))
    .attr('role', 'img').attr('xmlns', 'http://www.w3.org/2000/svg');
  const holder = make('div');
  holder.append(svg.node());
  const tools = make('div', {class: 'tools'});
  const own = {log: state.log, time: 0};
  const facetOf = () => facets.includes(state.facet) ? state.facet : facets[0];
  const render = () => {
    const width = Math.max(240, holder.clientWidth || 480);
    const facet = facetOf();
    const all = peers.flatMap(peer => objects(peer).get(facet) || []);
    own.log = state.log;
    svg.selectAll('*').remove();
    svg.attr('aria-label', `${chart.title}${facet ? ', ' + facet : ''}: ${chart.kind} of ${chart.y || chart.x}. ` +
      'The numbers are in the data below.');
    const height = draw[chart.kind](svg, objects(chart).get(facet), width, chart, own, all);
    svg.attr('viewBox', `0 0 ${width} ${height}`).style('font', FONT);
  };
  const id = `c${++makeFigure.count}`;
  let slide = () => {};
  if (facets.length > 1) {
    const select = make('select', {id: id + 'f'}, ...facets.map(facet => make('option', {value: facet}, facet)));
    select.value = facetOf();
    select.addEventListener('change', () => {
      state.facet = select.value;
      chartsOf(chart.title).forEach(figure => figure.update());
    });
    tools.append(make('label', {for: id + 'f'}, chart.facet || 'part'), select);
  }
  if (chart.kind === 'estimates' || chart.kind === 'curves') {
    const box = make('input', {type: 'checkbox', id: id + 'l'});
    box.checked = state.log;
    box.addEventListener('change', () => {
      state.log = box.checked;
      chartsOf(chart.title).forEach(figure => figure.update());
    });
    tools.append(make('span', {}, box, ' ', make('label', {for: id + 'l'}, 'logarithmic')));
  }
  if (chart.kind === 'circuits') {
    const range = make('input', {type: 'range', id: id + 't', min: '0', step: '1'});
    const told = make('output', {for: id + 't'});
    const play = make('button', {type: 'button'}, 'Play');
    let timer = 0;
    let times = [];
    slide = () => {
      times = [...new Set(objects(chart).get(facetOf()).map(row => row.time))];
      range.max = String(times.length - 1);
      range.value = String(Math.min(Number(range.value), times.length - 1));
      own.time = times[Number(range.value)];
    };
    const show = () => {
      slide();
      render();
      told.textContent = `${format(own.time)} ${chart.x}, ${own.open} circuits`;
      range.setAttribute('aria-valuetext', told.textContent);
    };
    const stop = () => {
      clearInterval(timer);
      timer = 0;
      play.textContent = 'Play';
    };
    range.value = '0';
    range.addEventListener('input', show);
    play.addEventListener('click', () => {
      if (timer) {
        stop();
        return;
      }
      play.textContent = 'Pause';
      timer = setInterval(() => {
        if (Number(range.value) >= times.length - 1) range.value = '0';
        else range.value = String(Number(range.value) + 1);
        show();
      }, matchMedia('(prefers-reduced-motion: reduce)').matches ? 1500 : 350);
    });
    tools.append(make('label', {for: id + 't'}, 'time'), range, play, told);
    tools.show = show;
  }
  const update = () => {
    const select = tools.querySelector('select');
    if (select) select.value = facetOf();
    const box = tools.querySelector('input[type="checkbox"]');
    if (box) box.checked = state.log;
    if (tools.show) tools.show();
    else render();
  };
  const file = slug(run.name + ' ' + chart.title);
  const svgButton = make('button', {type: 'button', 'aria-label': `Save ${chart.title} as SVG`}, 'SVG');
  svgButton.addEventListener('click', () => {
    const copy = svg.node().cloneNode(true);
    const [, , width, height] = copy.getAttribute('viewBox').split(' ');
    copy.setAttribute('width', width);
    copy.setAttribute('height', height);
    copy.style.background = theme().ground;
    save(file + '.svg', 'image/svg+xml', new XMLSerializer().serializeToString(copy));
  });
  const csvButton = make('button', {type: 'button', 'aria-label': `Save the data of ${chart.title} as CSV`}, 'CSV');
  csvButton.addEventListener('click', () => save(file + '.csv', 'text/csv', toCsv(chart)));
  tools.append(svgButton, csvButton);
  const data = make('details', {}, make('summary', {}, `Data of ${chart.title}, ${chart.rows.length} rows`));
  data.addEventListener('toggle', () => {
    if (data.open && data.childElementCount === 1) {
      data.append(makeTable('Data of ' + chart.title, chart.columns,
        chart.rows.slice(0, ROWS).map(row => row.map(number))));
      if (chart.rows.length > ROWS) data.append(make('p', {class: 'note'}, `The first ${ROWS} rows; the CSV file has all.`));
    }
  });
  const figure = make('figure', {}, make('figcaption', {}, chart.title), tools, holder,
    ...(chart.note ? [make('p', {class: 'note'}, chart.note)] : []), data);
  figure.update = update;
  figure.chartTitle = chart.title;
  return figure;
};
makeFigure.count = 0;
let figures = [];
const chartsOf = title => figures.filter(figure => figure.chartTitle === title);

// --- The page.

const sideBySide = cells => cells.length === 1 ? cells[0] : make('div', {class: 'side'}, ...cells);
const named = (run, content) => runs.length === 1 ? content
  : make('div', {}, make('p', {class: 'note'}, run.name), content);
const section = (title, level, ...content) => {
  const id = slug(title) || 'part';
  return make('section', {'aria-labelledby': 's-' + id}, make(level, {id: 's-' + id}, title), ...content);
};
const titlesOf = key => [...new Set(runs.flatMap(run => run[key].map(part => part.title)))];
const empty = text => make('p', {class: 'note'}, text);

const makeRecord = run => make('dl', {}, ...run.facts.flatMap(([label, text]) =>
  [make('dt', {}, label), make('dd', {}, text)]));

const build = () => {
  Object.values(names).forEach(group => { group.length = 0; });
  figures = [];
  makeFigure.count = 0;
  const own = runs[0];
  document.title = `${own.name} - odcn report`;
  document.querySelector('h1').textContent = runs.map(run => run.name).join(' | ');
  const parts = [section('Run', 'h2', sideBySide(runs.map(run => named(run, makeRecord(run)))))];
  const tables = titlesOf('tables');
  if (tables.length) {
    parts.push(section('Tables', 'h2', ...tables.map(title => section(title, 'h3', sideBySide(runs.map(run => {
      const table = run.tables.find(part => part.title === title);
      return named(run, !table ? empty('This run has no such table.') : make('div', {},
        makeTable(title, table.header, table.rows),
        ...(table.note ? [make('p', {class: 'note'}, table.note)] : [])));
    }))))));
  }
  const kindOf = title => ORDER.indexOf(runs.flatMap(run => run.charts).find(part => part.title === title).kind);
  const charts = titlesOf('charts').sort((a, b) => kindOf(a) - kindOf(b));
  if (charts.length && !library) {
    parts.push(section('Charts', 'h2', empty('This odcn was built without the charting library d3 (Debian: ' +
      'node-d3), so this report has no charts. Their data are here as CSV files.'),
      make('ul', {}, ...own.charts.map(chart => {
        const button = make('button', {type: 'button'}, `Save ${chart.title} as CSV`);
        button.addEventListener('click', () => save(slug(chart.title) + '.csv', 'text/csv', toCsv(chart)));
        return make('li', {}, button);
      }))));
  } else if (charts.length) {
    parts.push(section('Charts', 'h2', make('div', {class: 'grid'}, ...charts.map(title => {
      const found = runs.map(run => run.charts.find(part => part.title === title));
      const peers = found.filter(Boolean);
      const cells = runs.map((run, i) => named(run, found[i] ? makeFigure(found[i], run, peers)
        : empty(`This run has no chart "${title}".`)));
      const wide = runs.length > 1 || ['heatmap', 'timeline'].includes(peers[0].kind);
      return make('div', {class: wide ? 'wide' : ''}, sideBySide(cells));
    }))));
  }
  if (own.files.length) {
    parts.push(section('Files', 'h2', make('dl', {}, ...own.files.flatMap(([name, what]) =>
      [make('dt', {}, /^[A-Z]+-/.test(name) ? name : make('a', {href: encodeURI(name)}, name)), make('dd', {}, what)]))));
  }
  document.getElementById('report').replaceChildren(...parts);
  document.getElementById('contents').replaceChildren(make('ul', {}, ...['Run', 'Tables', 'Charts', 'Files', 'Compare']
    .filter(title => title === 'Compare' || document.getElementById('s-' + slug(title)))
    .map(title => make('li', {}, make('a', {href: title === 'Compare' ? '#compare' : '#s-' + slug(title)}, title)))));
  document.getElementById('compared').replaceChildren(...runs.slice(1).map((run, i) => {
    const button = make('button', {type: 'button', 'aria-label': 'Remove ' + run.name}, 'Remove');
    button.addEventListener('click', () => {
      runs.splice(i + 1, 1);
      build();
    });
    return make('li', {}, run.name + ' ', button);
  }));
  figures = [...document.querySelectorAll('figure')];
  figures.forEach(figure => figure.update());
};

const input = document.getElementById('others');
input.addEventListener('change', async () => {
  const refused = [];
  for (const file of input.files) {
    try {
      const page = new DOMParser().parseFromString(await file.text(), 'text/html');
      const run = parse(page.getElementById('run').textContent);
      if (!Array.isArray(run.tables) || !Array.isArray(run.charts)) throw new Error();
      runs.push(run);
    } catch (error) {
      refused.push(file.name);
    }
  }
  input.value = '';
  document.getElementById('message').textContent = refused.length
    ? `Not a report of odcn: ${refused.join(', ')}.` : `${runs.length} runs are shown.`;
  build();
});
if (!library) document.getElementById('library').remove();
build();

// --- A run that goes on: ask its program for newer data, until it has ended.

const rebuild = () => {
  const at = [scrollX, scrollY];
  const nameOf = element => element.id || element.getAttribute('aria-label');
  const focused = nameOf(document.activeElement);
  const open = [...document.querySelectorAll('details[open] summary')].map(summary => summary.textContent.replace(/, .*/, ''));
  build();
  for (const summary of document.querySelectorAll('summary')) {
    if (open.includes(summary.textContent.replace(/, .*/, ''))) summary.parentNode.open = true;
  }
  const again = focused && [...document.querySelectorAll('#report [id], #report [aria-label]')].find(element => nameOf(element) === focused);
  if (again) again.focus({preventScroll: true});
  scrollTo(...at);
};
const follow = section => {
  const told = section.querySelector('[role=status]');
  const bar = section.querySelector('progress');
  let number = '';
  let failures = 0;
  section.hidden = false;
  document.getElementById('progress').textContent = 'The run has begun.';
  const ask = async () => {
    try {
      const {progress, number: newest, run} = await (await fetch('state.json?' + number, {cache: 'no-store'})).json();
      failures = 0;
      if (progress.text) document.getElementById('progress').textContent = progress.text;
      if ('share' in progress) bar.value = progress.share;
      else bar.removeAttribute('value');
      if (run && number !== newest) {
        number = newest;
        runs[0] = run;
        rebuild();
      }
    } catch (error) {
      if (++failures === 2) {
        bar.hidden = true;
        told.textContent = 'The run has ended. This page shows what it had found shortly before.';
        return;
      }
    }
    setTimeout(ask, 2000);
  };
  ask();
};
if ('live' in document.body.dataset) follow(document.getElementById('live'));
let pending = 0;
const redraw = () => {
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(() => figures.forEach(figure => figure.update()));
};
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth !== width) {
    width = innerWidth;
    redraw();
  }
});
dark.addEventListener('change', redraw);
})();
