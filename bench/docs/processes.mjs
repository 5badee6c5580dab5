// Four processes read and write one index for a minute, and now and then one is killed. Afterwards
// every page that a process was told is kept has to be there, and the file has to be sound.
//   node processes.mjs [seconds, 60] [processes, 4]
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [seconds = '60', processes = '4'] = process.argv.slice(2)
const dist = new URL('../../packages/docs/dist/', import.meta.url)
const { createSqliteIndex } = await import(new URL('index/sqlite-search-index.js', dist))
const { loadDriver } = await import(new URL('base/sqlite-driver.js', dist))

const folder = mkdtempSync(join(tmpdir(), 'pith-processes-'))
const path = join(folder, 'index.sqlite')
const until = Date.now() + Number(seconds) * 1000
const children = new Map()
let kills = 0

function start(number) {
  const script = fileURLToPath(new URL('processes-child.mjs', import.meta.url))
  const child = fork(script, [path, join(folder, `kept-${number}.log`), String(number)])
  children.set(number, child)
  child.on('exit', () => {
    children.delete(number)
    if (Date.now() < until) start(number)
  })
}

for (let number = 0; number < Number(processes); number++) start(number)
while (Date.now() < until) {
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const victims = [...children.values()]
  victims[Math.floor(Math.random() * victims.length)]?.kill('SIGKILL')
  kills++
}
for (const child of children.values()) child.kill('SIGKILL')
await new Promise((resolve) => setTimeout(resolve, 300))

const driver = await loadDriver()
const index = await createSqliteIndex({ open: driver, path })
const pages = await index.pages()
let kept = 0
let lost = 0
let searches = 0
for (let number = 0; number < Number(processes); number++) {
  const latest = new Map()
  for (const line of readFileSync(join(folder, `kept-${number}.log`), 'utf8').split('\n')) {
    const [kind, url, stamp] = line.split(' ')
    if (kind === 'put') latest.set(url, Number(stamp))
    if (kind === 'found') searches++
  }
  for (const [url, stamp] of latest) {
    kept++
    if (Number(pages.get(url)?.stamp ?? -1) < stamp) lost++
  }
}
index.close()
const database = driver(path)
const [{ integrity_check: sound }] = database.prepare('PRAGMA integrity_check').all()
database.exec("INSERT INTO terms (terms) VALUES ('integrity-check')")
database.close()
rmSync(folder, { recursive: true })
console.log(
  `${processes} processes for ${seconds} s, ${kills} killed: ${kept} pages acknowledged, ${lost} lost; ${searches} searches answered; the file is ${sound}`,
)
process.exit(lost > 0 || sound !== 'ok' ? 1 : 0)
