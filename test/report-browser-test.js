// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only
//
// Opens reports from disk in Debian's Chromium, at 400 and 1,400 pixels, light and dark: no error
// on the console, every chart drawn within the page, tables scroll in their frames, sliders, facets
// and the comparison work by keyboard, no serious finding of axe-core, open within 2 seconds, and
// less than 5 MB. Not part of the gate, since it needs a browser:
//
//   apt install chromium; npm install --prefix FOLDER playwright-core axe-core
//   NODE_PATH=FOLDER/node_modules node test/report-browser-test.js [--shots=FOLDER] REPORT.html ...

'use strict';
const fs = require('fs');
const path = require('path');
const {chromium} = require('playwright-core');

const shots = (process.argv.find(word => word.startsWith('--shots=')) || '').slice(8);
const reports = process.argv.slice(2).filter(word => !word.startsWith('--')).map(file => path.resolve(file));
let bad = 0;
const check = (holds, what) => {
  if (!holds) {
    console.log('error: ' + what);
    ++bad;
  }
};

const examine = async (browser, file, colorScheme, width) => {
  const name = `${path.basename(path.dirname(file))}, ${colorScheme}, ${width} px`;
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
    return {charts: run.charts.length, figures: document.querySelectorAll('figure').length, undrawn,
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth};
  });
  check(told.figures === told.charts, `${name}: ${told.figures} of ${told.charts} charts`);
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
      check(fs.statSync(await download.path()).size > 100, `${name}: an empty ${kind} file`);
    }
    await page.locator('figure details summary').first().click();
    check(await page.locator('figure details table').count() === 1, `${name}: no table of the data`);
  }
  await page.evaluate(fs.readFileSync(require.resolve('axe-core'), 'utf8'));
  const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
  for (const finding of violations) {
    console.log(`${name}: axe ${finding.impact}: ${finding.id}, ${finding.nodes.length} times: ${finding.nodes[0].html.slice(0, 120)}`);
    check(!['serious', 'critical'].includes(finding.impact), `${name}: ${finding.id}`);
  }
  if (shots) {
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({path: path.join(shots, `${path.basename(path.dirname(file))}-${width}-${colorScheme}.png`), fullPage: true});
  }
  if (width > 1000 && colorScheme === 'light') {
    // Side by side with itself and, of another program, the next report.
    const others = [file, reports[(reports.indexOf(file) + 1) % reports.length]];
    await page.setInputFiles('#others', others);
    await page.waitForFunction(n => document.querySelectorAll('#compared li').length === n, others.length);
    const figures = await page.locator('figure').count();
    check(figures >= 2 * told.charts, `${name}: ${figures} charts in a comparison of ${told.charts}`);
    if (shots) {
      await page.screenshot({path: path.join(shots, `${path.basename(path.dirname(file))}-compared.png`)});
    }
    await page.locator('#compared button').last().focus();
    await page.keyboard.press('Enter');
    check(await page.locator('#compared li').count() === others.length - 1, `${name}: no run was removed`);
  }
  await context.close();
  console.log(`${name}: ${told.figures} charts, ${size.toFixed(2)} MB, opened in ${opened.toFixed(2)} s`);
};

(async () => {
  const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});
  for (const file of reports) {
    for (const [scheme, width] of [['light', 1400], ['dark', 1400], ['light', 400], ['dark', 400]]) {
      await examine(browser, file, scheme, width);
    }
  }
  await browser.close();
  console.log(`${reports.length} reports, ${bad} errors`);
  process.exit(bad || !reports.length ? 1 : 0);
})();
