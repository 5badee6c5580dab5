// Tasks of an operator in the console: clicks, fields that are filled in, and seconds. The seconds
// are those of a program, without the time to read.
//   node console-tasks.mjs [--main PATH] [--before]
// `--main`: the program, by default the one that is built here. `--before`: by the steps of the
// console of 50198906, which had no forms, clients or registry.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from '../../node_modules/playwright-core/index.mjs'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const { values } = parseArgs({
  options: {
    main: { type: 'string', default: path('../../apps/aggregator-mcp/dist/main.js') },
    before: { type: 'boolean', default: false },
  },
})
const fixture = path('../../test/console/world/fixture-server.mjs')
const home = mkdtempSync(join(tmpdir(), 'bench-console-tasks-'))
const config = join(home, 'mcp.json')
/** As a configuration refers to a variable. */
const reference = (name) => `$\{${name}}`
const server = (kind, env) => ({
  command: process.execPath,
  args: [fixture, kind],
  ...(env && { env }),
})
mkdirSync(join(home, '.cursor'))
writeFileSync(join(home, '.cursor', 'mcp.json'), '{\n  "mcpServers": {}\n}\n')
writeFileSync(
  config,
  JSON.stringify(
    {
      mcpServers: {
        github: server('github'),
        slack: server('slack'),
        mail: server('linear', { TOKEN: reference('MAIL_TOKEN') }),
      },
      aggregator: { trust: { new: 'hold' } },
    },
    null,
    2,
  ),
)
const own = ['--config', config, '--state', join(home, 'state')]
const { MAIL_TOKEN: _, ...rest } = process.env
const env = { ...rest, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), OTHER_TOKEN: 'x' }
const child = spawn(process.execPath, [values.main, ...own, '--http', '0'], {
  env,
  stdio: ['ignore', 'ignore', 'pipe'],
})
let log = ''
child.stderr.setEncoding('utf8').on('data', (text) => {
  log += text
})
while (!log.includes('console at ')) await new Promise((resolve) => setTimeout(resolve, 20))
const link = execFileSync(process.execPath, [values.main, 'console', '--print', ...own], {
  env,
  encoding: 'utf8',
}).trim()
const origin = new URL(link).origin
const read = () => JSON.parse(readFileSync(config, 'utf8'))

const executablePath = [process.env['CHROME_PATH'], '/usr/bin/chromium'].find(
  (file) => file && existsSync(file),
)
const browser = await chromium.launch({
  args: ['--no-sandbox'],
  ...(executablePath && { executablePath }),
})
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
page.setDefaultTimeout(15_000)
await page.goto(link)
await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

let clicks = 0
let fields = 0
const click = async (locator) => {
  clicks++
  await locator.click()
}
const button = (name) => click(page.getByRole('button', { name, exact: true }))
const toPage = (name) => click(page.getByRole('link', { name }).first())
const fill = async (locator, text) => {
  fields++
  await locator.fill(text)
}
const choose = async (locator, value) => {
  clicks += 2
  await locator.selectOption(value)
}
const saved = async () => {
  await button('Review the change')
  await page.getByRole('region', { name: 'Change of the configuration' }).waitFor()
  await button('Save')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Whether a client can call a tool. */
async function isCallable(module, tool) {
  const proof = await page.evaluate("localStorage.getItem('pith.proof') ?? ''")
  const reply = await page.request.get(`${origin}/api/v1/tools`, {
    headers: { 'x-pith-proof': proof },
  })
  const { tools } = await reply.json()
  return tools.some(({ server: of, name, absent }) => of === module && name === tool && !absent)
}

const tasks = [
  {
    name: 'make a held tool callable',
    async before() {
      await toPage(/^Pins/)
      const tool = page.getByRole('article', { name: 'create_issue', exact: true }).first()
      await click(tool.getByRole('button', { name: 'Approve create_issue' }))
    },
    async after() {
      await toPage(/^Review/)
      await click(page.getByRole('checkbox', { name: 'Select create_issue of github' }))
      await click(page.getByRole('button', { name: /^Approve/ }).first())
    },
    isDone: () => isCallable('github', 'create_issue'),
  },
  {
    name: 'mend a missing variable',
    async before() {
      await toPage('Servers')
      await button('Add server')
      await fill(page.getByLabel('Name', { exact: true }), 'mail')
      await fill(
        page.getByRole('textbox', { name: 'Command' }),
        `${process.execPath} ${fixture} linear`,
      )
      await fill(page.getByLabel('Environment'), `TOKEN=${reference('OTHER_TOKEN')}`)
      await click(page.getByLabel('Replace a server of the same name'))
      await button('Add')
    },
    async after() {
      await toPage('Servers')
      await click(page.getByRole('link', { name: 'mail', exact: true }).first())
      await button('Edit mail')
      await fill(page.getByLabel('TOKEN', { exact: true }), reference('OTHER_TOKEN'))
      await saved()
    },
    isDone: () => read().mcpServers.mail.env.TOKEN === reference('OTHER_TOKEN'),
  },
  {
    name: 'give a person a read-only profile',
    async after() {
      await toPage('Profiles')
      await button('New profile')
      await fill(page.getByLabel('Name', { exact: true }), 'readers')
      await choose(page.getByLabel('Read only'), 'true')
      await saved()
      await toPage('Access tokens')
      await button('Create token')
      await fill(page.getByLabel('Name', { exact: true }), 'ada')
      await choose(page.getByLabel('Profile'), 'readers')
      await button('Create')
      await page.getByText('Copy the token now').waitFor()
      await button('I have copied it')
    },
    isDone: () => read().aggregator.profiles?.readers?.readOnly === true,
  },
  {
    name: 'add a server from the registry',
    async after() {
      await toPage('Registry')
      await click(page.getByRole('button', { name: /^Add .*memory/ }))
      await click(page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }))
      await page
        .getByText(/memory.* added/)
        .first()
        .waitFor()
    },
    isDone: () => Object.keys(read().mcpServers).some((name) => name.includes('memory')),
  },
  {
    name: 'connect Cursor',
    async after() {
      await toPage('Clients')
      await button('Connect Cursor')
      await page.getByLabel('Change of the file').waitFor()
      await click(page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
    isDone: () =>
      'pith' in JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).mcpServers,
  },
  {
    name: 'find why a call failed',
    async before() {
      await toPage('Journal')
      await choose(page.getByLabel('Outcome'), 'failed')
      await button('Search')
      await click(page.getByRole('button', { name: 'Details of line 1', exact: true }))
    },
    async after() {
      await this.before()
    },
    isDone: async () => (await page.getByRole('main').textContent()).includes('unknown_tool'),
  },
]

// A call that fails, for the last task.
spawnSync(process.execPath, [values.main, 'call', 'github', 'no_such_tool', ...own], { env })

console.log('| task | clicks | fields | seconds |\n| --- | --- | --- | --- |')
for (const task of tasks) {
  const steps = values.before ? task.before : task.after
  if (steps === undefined) {
    console.log(`| ${task.name} | not in the console | | |`)
    continue
  }
  clicks = 0
  fields = 0
  await page.goto(origin)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const started = performance.now()
  try {
    await steps.call(task)
    while (!(await task.isDone())) {
      if (performance.now() - started > 20_000) throw new Error('it was not done')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    console.log(`| ${task.name} | ${clicks} | ${fields} | ${seconds} |`)
  } catch (error) {
    console.log(`| ${task.name} | failed: ${error.message.split('\n')[0]} | | |`)
  }
}
await browser.close()
child.kill()
await once(child, 'exit')
rmSync(home, { recursive: true, force: true })
