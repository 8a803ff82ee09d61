// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only
//
// Opens reports from disk in Debian's Chromium, at 400 and 1,400 pixels, light and dark: no error
// on the console, every chart drawn within the page, tables scroll in their frames, sliders, facets
// and the comparison work by keyboard, no serious finding of axe-core, open within 2 seconds, and
// less than 5 MB. With --live=COMMAND, a "./ns3 run ..." that runs for half a minute or more and makes a
// chart in the first half: its live page survives reloads, a second viewer and the end of the run. Not part
// of the gate, since it needs a browser:
//
//   apt install chromium; npm install --prefix FOLDER playwright-core axe-core
//   NODE_PATH=FOLDER/node_modules node test/report-browser-test.js [--shots=FOLDER] [--live=COMMAND] REPORT.html ...

'use strict';
const fs = require('fs');
const path = require('path');
const {spawn} = require('child_process');
const {chromium} = require('playwright-core');

const option = name => (process.argv.find(word => word.startsWith(name)) || '').slice(name.length);
const shots = option('--shots=');
const live = option('--live=');
const reports = process.argv.slice(2).filter(word => !word.startsWith('--')).map(file => path.resolve(file));
let bad = 0;
const check = (holds, what) => {
  if (!holds) {
    console.log('error: ' + what);
    ++bad;
  }
};

// axe-core's findings that are serious.
const examineAccess = async (page, name) => {
  await page.evaluate(fs.readFileSync(require.resolve('axe-core'), 'utf8'));
  const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
  for (const finding of violations) {
    console.log(`${name}: axe ${finding.impact}: ${finding.id}, ${finding.nodes.length} times: ${finding.nodes[0].html.slice(0, 120)}`);
    check(!['serious', 'critical'].includes(finding.impact), `${name}: ${finding.id}`);
  }
};

const examine = async (browser, file, colorScheme, width) => {
  const run = (path.basename(path.dirname(file)) + '-' + path.basename(file, '.html')).replace(/-report$/, '');
  const name = `${run}, ${colorScheme}, ${width} px`;
  const context = await browser.newContext({colorScheme, viewport: {width, height: 900}, acceptDownloads: true});
  const page = await context.newPage();
  const requests = [];
  page.on('console', message => message.type() === 'error' && check(false, `${name}: ${message.text()}`));
  page.on('pageerror', error => check(false, `${name}: ${error}`));
  page.on('request', request => requests.push(request.url()));
  const began = Date.now();
  await page.goto('file://' + file);
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))));
  const opened = (Date.now() - began) / 1000;
  check(opened < 2, `${name}: opened after ${opened} s`);
  check(requests.filter(url => !url.startsWith('data:')).length === 1, `${name}: asked for ${requests.slice(1)}`);
  const size = fs.statSync(file).size / 1e6;
  check(size < 5, `${name}: ${size} MB`);

  const told = await page.evaluate(() => {
    const run = JSON.parse(document.getElementById('run').textContent);
    const undrawn = [...document.querySelectorAll('figure')].filter(figure => {
      const svg = figure.querySelector('svg');
      const marks = svg.querySelectorAll('circle, path, rect');
      const box = svg.getBoundingClientRect();
      return !marks.length || /NaN|undefined|Infinity/.test(svg.innerHTML) || box.width < 200 || box.height < 60;
    }).map(figure => figure.querySelector('figcaption').textContent);
    const equal = chart => {
      const at = Math.max(...['value', 'y'].map(name => chart.columns.indexOf(name)));
      return at >= 0 && new Set(chart.rows.map(row => row[at]).filter(value => value !== null)).size < 2;
    };
    const heads = [...document.querySelectorAll('h2')].map(head => head.textContent);
    const provenance = document.querySelector('details.folded');
    return {charts: run.charts.filter(chart => !equal(chart)).length, first: heads[0], last: heads[heads.length - 1],
      folded: provenance && !provenance.open, setting: document.getElementById('setting').textContent, figures: document.querySelectorAll('figure').length, undrawn,
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth};
  });
  check(told.figures === told.charts, `${name}: ${told.figures} of ${told.charts} charts`);
  check(told.figures === 0 || told.first === 'Finding', `${name}: begins with ${told.first}`);
  check(told.last === 'Provenance' && told.folded, `${name}: provenance is not folded at the end`);
  check(told.undrawn.length === 0, `${name}: not drawn: ${told.undrawn}`);
  check(told.overflow <= 0, `${name}: wider than the window by ${told.overflow} px`);

  // Each facet of each chart draws without an error; changed by keyboard.
  for (const select of await page.locator('figure select').all()) {
    const before = await select.inputValue();
    await select.focus();
    await page.keyboard.press('ArrowDown');
    check(await select.inputValue() !== before, `${name}: a choice does not change by keyboard`);
  }
  for (const slider of await page.locator('figure input[type=range]').all()) {
    const figure = page.locator('figure', {has: page.locator('input[type=range]')}).first();
    const before = await figure.locator('svg').innerHTML();
    await slider.focus();
    await page.keyboard.press('End');
    const most = await slider.getAttribute('max');
    check(Number(most) === 0 || await figure.locator('svg').innerHTML() !== before,
      `${name}: the slider changes nothing`);
  }
  if (width > 1000 && colorScheme === 'light' && told.figures > 0) {
    for (const kind of ['SVG', 'CSV']) {
      const [download] = await Promise.all([page.waitForEvent('download'),
        page.locator('figure button', {hasText: kind}).first().click()]);
      check(fs.statSync(await download.path()).size > 40, `${name}: an empty ${kind} file`);
    }
    await page.locator('figure details summary').first().click();
    await page.locator('figure details table').first().waitFor({timeout: 5000})
      .catch(() => check(false, `${name}: no table of the data`));
  }
  await examineAccess(page, name);
  if (shots) {
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({path: path.join(shots, `${run}-${width}-${colorScheme}.png`), fullPage: true});
  }
  if (width > 1000 && colorScheme === 'light') {
    // Side by side with itself and, of another program, the next report.
    const others = [file, reports[(reports.indexOf(file) + 1) % reports.length]];
    await page.setInputFiles('#others', others);
    await page.waitForFunction(n => document.querySelectorAll('#compared li').length === n, others.length);
    const figures = await page.locator('figure').count();
    check(figures >= 2 * told.charts, `${name}: ${figures} charts in a comparison of ${told.charts}`);
    if (shots) {
      await page.screenshot({path: path.join(shots, `${run}-compared.png`)});
    }
    await page.locator('#compared button').last().focus();
    await page.keyboard.press('Enter');
    check(await page.locator('#compared li').count() === others.length - 1, `${name}: no run was removed`);
  }
  await context.close();
  console.log(`${name}: ${told.figures} charts, ${size.toFixed(2)} MB, opened in ${opened.toFixed(2)} s`);
};

const examineLive = async (browser, command) => {
  const program = spawn(command + ' --live', {shell: true, stdio: ['ignore', 'ignore', 'pipe']});
  const ended = new Promise(done => program.on('exit', done));
  const url = await new Promise(done => {
    let told = '';
    program.stderr.on('data', part => {
      told += part;
      const found = /^live page: (\S+)\n/m.exec(told);
      if (found) done(found[1]);
    });
  });
  let over = false;
  const open = async width => {
    const page = await (await browser.newContext({viewport: {width, height: 900}})).newPage();
    // A refused connection is an error of the console, which no script can avoid.
    page.on('console', message => message.type() === 'error' && check(over || message.text().includes('ERR_CONNECTION'),
      `live: ${message.text()}`));
    page.on('pageerror', error => check(false, `live: ${error}`));
    await page.goto(url);
    return page;
  };
  const charted = page => page.waitForFunction(() => document.querySelectorAll('figure svg *').length > 5, null, {timeout: 120000});
  const progress = page => page.locator('#progress').textContent();
  const first = await open(1400);
  await first.waitForFunction(() => /%/.test(document.getElementById('progress').textContent), null, {timeout: 60000});
  await charted(first);
  await first.reload();
  await charted(first);
  const second = await open(400);
  await charted(second);
  check(await second.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), 'live: wider than 400 px');
  // What the reader does survives newer data.
  await first.locator('figure details summary').first().click();
  await first.locator('figure button', {hasText: 'CSV'}).first().focus();
  await first.evaluate(() => scrollTo(0, 300));
  const before = [await progress(first), await progress(second)];
  const record = await first.evaluate(() => fetch('progress.json').then(answer => answer.json()).then(state => state.records));
  await first.waitForFunction(known => fetch('progress.json').then(answer => answer.json()).then(state => state.records > known + 1),
    record, {timeout: 120000, polling: 1000});
  await first.waitForTimeout(3000);
  for (const [i, page] of [first, second].entries()) {
    check(await progress(page) !== before[i], `live: a viewer still sees ${before[i]}`);
  }
  check(await first.evaluate(() => scrollY) === 300, 'live: newer data scroll the page');
  check(await first.locator('figure details[open]').count() === 1, 'live: newer data close what was open');
  check(await first.evaluate(() => document.activeElement.tagName) === 'BUTTON', 'live: newer data take the focus');
  await examineAccess(first, 'live');
  for (const [page, width] of shots ? [[first, 1400], [second, 400]] : []) {
    await page.screenshot({path: path.join(shots, `live-${width}.png`)});
  }
  check(await ended === 0, 'live: the program failed');
  over = true;
  for (const page of [first, second]) {
    await page.waitForFunction(() => /has ended/.test(document.querySelector('#live [role=status]').textContent), null, {timeout: 20000});
    check(await page.locator('figure').count() > 0, 'live: the page is empty after the end');
  }
  if (shots) {
    await first.evaluate(() => scrollTo(0, 0));
    await first.screenshot({path: path.join(shots, 'live-ended.png')});
  }
  console.log(`live: ${await first.locator('figure').count()} charts, ${await progress(first)}`);
};

(async () => {
  const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});
  for (const file of reports) {
    for (const [scheme, width] of [['light', 1400], ['dark', 1400], ['light', 400], ['dark', 400]]) {
      await examine(browser, file, scheme, width);
    }
  }
  if (live) {
    await examineLive(browser, live);
  }
  await browser.close();
  console.log(`${reports.length} reports, ${bad} errors`);
  process.exit(bad || !(reports.length || live) ? 1 : 0);
})();
