import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolsOf } from '../../test/console/world/fixture-catalogue.mjs'
import { agrees, figuresOf, groupings, groupsOf, isCall, isRefused } from './count-lines.mjs'
import { chartOf, rowsOf, termsOf } from './screen.mjs'
import { servers } from './simulate-day.mjs'

const hourMs = 3_600_000

/** The pages, the lines of the journal, and the figures that were compared. */
function openDay({ page, origin, journal }) {
  let compared = 0
  const unequal = []

  function compare(what, text, value) {
    compared++
    if (text === undefined || !agrees(text.trim(), value))
      unequal.push(`${what}: ${text}, counted ${value}`)
  }

  /** Also lines that the aggregator has written since its start. */
  function linesBetween(from, to) {
    const [since, until] = [from, to].map((ms) => new Date(ms).toISOString())
    return readdirSync(journal)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(journal, name), 'utf8').split('\n'))
      .flatMap((text) => (text ? [JSON.parse(text)] : []))
      .filter(({ time }) => time >= since && time < until)
  }

  /** Of whole hours of UTC, the current one included. */
  function linesOfHours(hours) {
    const end = Math.ceil(Date.now() / hourMs) * hourMs
    return linesBetween(end - hours * hourMs, end)
  }

  const figures = () => ({ compared, unequal })
  return { page, origin, compare, linesBetween, linesOfHours, figures }
}

function compareTotals({ compare }, where, shown, figures) {
  const values = {
    'Tokens saved': figures.saved,
    'Tokens out': figures.out,
    'Tokens in': figures.in,
    Calls: figures.calls,
    Failed: figures.share,
    Refused: figures.refused,
    'p50 latency': figures.p50,
    'p95 latency': figures.p95,
  }
  for (const [name, value] of Object.entries(values))
    if (shown[name] !== undefined) compare(`${where} ${name}`, shown[name], value)
}

async function compareChart({ page, compare, linesOfHours }, title, of) {
  const { names, points } = await chartOf(page, title)
  const lines = linesOfHours(24)
  for (const { time, texts } of points) {
    const ofHour = lines.filter((line) => line.time.slice(0, 13) === time.slice(0, 13))
    const groups = groupsOf(ofHour, 'Server')
    for (const [at, name] of names.entries())
      if (name !== 'others')
        compare(`${title} ${time} ${name}`, texts[at], of(groups.get(name) ?? figuresOf([])))
  }
}

async function compareOverview(day) {
  const { page, origin, compare, linesOfHours } = day
  await page.goto(origin)
  await page.locator('.receipt-facts b', { hasNotText: '…' }).nth(5).waitFor()
  const shown = await termsOf(page, '.receipt-facts')
  compareTotals(day, 'overview', shown, figuresOf(linesOfHours(7 * 24)))
  const [, tokens] = await page.locator('.receipt-line b').allTextContents()
  await compareChart(day, 'Tokens saved, by server', ({ saved }) => saved)
  await page.goto(`${origin}/tools`)
  const panel = page.getByText(/tokens, if a client loaded them all/)
  await panel.waitFor()
  const [all] = (await panel.textContent()).replace(/\u202f/g, '').match(/\d+/)
  compare('tokens of the overview and of the tools', tokens, Number(all))
}

async function compareUsage(day) {
  const { page, origin, compare, linesOfHours } = day
  await page.goto(`${origin}/usage?span=24h&measure=calls`)
  await page.locator('.usage-totals dd', { hasNotText: '…' }).nth(7).waitFor()
  const lines = linesOfHours(24)
  compareTotals(day, 'usage', await termsOf(page, '.usage-totals'), figuresOf(lines))
  await compareChart(day, 'Calls by server', ({ calls }) => calls)
  for (const by of groupings) await compareBreakdown(day, by, lines)
  const called = new Set(
    lines
      .filter((line) => line.kind === 'call' && !isRefused(line))
      .map(({ module, tool }) => `${module}.${tool}`),
  )
  const unused = servers
    .flatMap((name) => toolsOf(name).map((tool) => `${name}.${tool.name}`))
    .filter((name) => !called.has(name))
  const rows = await rowsOf(page, 'Tools without a call in this period')
  compare('tools without a call', String(rows.length), unused.length)
  for (const [name] of rows) compare(`${name} without a call`, '1', Number(unused.includes(name)))
}

async function compareBreakdown({ page, origin, compare }, by, lines) {
  await page.goto(`${origin}/usage?span=24h&table=${by.toLowerCase()}`)
  const rows = await rowsOf(page, `Usage by ${by.toLowerCase()}`)
  const groups = groupsOf(lines, by)
  compare(`usage by ${by}: groups`, String(rows.length), groups.size)
  for (const [name, saved, calls, failures, refused, input, out, p50, p95] of rows) {
    const figures = groups.get(name) ?? figuresOf([])
    const [failed, share = '0%'] = failures.split(' · ')
    const cells = { saved, calls, failed, share, refused, in: input, out, p50, p95 }
    for (const [key, text] of Object.entries(cells))
      compare(`usage by ${by}: ${name} ${key}`, text, figures[key])
  }
}

async function compareServer(day, unit) {
  const { page, origin, compare, linesBetween } = day
  const [name, account] = unit.split('@')
  await page.goto(`${origin}/servers/${unit}`)
  const link = page.getByRole('main').locator('a', { hasText: /^\d.* calls?$/ })
  await link.waitFor()
  const period = new URL(await link.getAttribute('href'), origin).searchParams
  const [from, to] = ['since', 'until'].map((key) => Date.parse(period.get(key)))
  const lines = linesBetween(from, to + 1).filter(
    (line) => line.module === name && line.account === account && isCall(line),
  )
  const figures = figuresOf(lines)
  const text = await link.locator('..').textContent()
  const [calls, failed, refused] = text.match(/\d[\d\u202f]*/g)
  compare(`${unit} calls`, calls, figures.calls)
  compare(`${unit} failed`, failed, figures.failed)
  compare(`${unit} refused`, refused, figures.refused)
  await compareDurations(day, unit, lines)
  await compareCauses(day, unit, lines)
}

async function compareDurations({ page, compare }, unit, lines) {
  let below = -1
  for (const [bound, number] of await rowsOf(page, 'Calls by duration')) {
    const [, digits, word] = /([\d.]+)\u202f(ms|s|min)/.exec(bound) ?? []
    const scale = { ms: 1, s: 1_000, min: 60_000 }[word]
    const upTo = digits ? Number(digits) * scale : Number.POSITIVE_INFINITY
    const within = lines.filter(
      (line) => !isRefused(line) && (line.ms ?? 0) > below && (line.ms ?? 0) <= upTo,
    )
    compare(`${unit} calls ${bound}`, number, within.length)
    below = upTo
  }
}

/** Messages are alike whatever digits and quoted texts they have. */
const shapeOf = (message = '') => message.replace(/"[^"]*"/g, '""').replace(/[\d#]+/g, '0')

async function compareCauses({ page, compare }, unit, lines) {
  const failures = lines.filter(({ outcome }) => outcome !== 'ok')
  let sum = 0
  for (const [cause, , number] of await rowsOf(page, 'Causes of failures and refusals')) {
    const [outcome, ...rest] = cause.split(': ')
    const alike = failures.filter(
      (line) => line.outcome === outcome && shapeOf(line.message) === shapeOf(rest.join(': ')),
    )
    compare(`${unit} ${cause}`, number, alike.length)
    sum += alike.length
  }
  compare(`${unit} causes`, String(sum), failures.length)
}

async function compareSearches({ page, origin, compare, linesBetween }) {
  for (const [outcome, caller] of [
    ['upstream_closed', 'ada'],
    ['timeout', 'support-bot'],
    ['refused', 'ben'],
  ]) {
    const until = new Date().toISOString()
    await page.goto(`${origin}/journal?${new URLSearchParams({ outcome, caller, until })}`)
    const title = await page
      .getByRole('main')
      .getByText(/^\d+ lines?$/)
      .textContent()
    const lines = linesBetween(0, Date.parse(until) + 1).filter(
      (line) =>
        line.caller === caller &&
        (outcome === 'refused' ? isRefused(line) : line.outcome === outcome),
    )
    const shown = title.replace(/ lines?$/, '')
    compare(`journal: ${outcome} of ${caller}`, shown, Math.min(100, lines.length))
  }
}

/** Reads the figures of all pages. Returns how many there are, and those that differ. */
export async function comparePages({ page, origin, journal }) {
  const day = openDay({ page, origin, journal })
  const units = [...servers.filter((name) => name !== 'calendar'), 'calendar@work']
  for (const unit of units) {
    await page.goto(`${origin}/servers/${unit}`)
    await page.getByRole('button', { name: `Start ${unit}` }).click()
    await page.getByText(`${unit} started.`).waitFor()
  }
  await compareOverview(day)
  await compareUsage(day)
  for (const unit of units) await compareServer(day, unit)
  await compareSearches(day)
  return day.figures()
}
