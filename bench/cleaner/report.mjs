// Run every comparison and write the tables into bench/README.md.
//   node report.mjs [folder of the WCXB documentation set]
import { readFileSync, writeFileSync } from 'node:fs'
import { memory, memoryTable } from './memory.mjs'
import { peers } from './peers.mjs'
import { quality, qualityTable } from './quality.mjs'
import { speed, speedTable } from './speed.mjs'
import { wcxb } from './wcxb.mjs'

const readme = new URL('../README.md', import.meta.url)
const [folder] = process.argv.slice(2)
const names = Object.keys(peers)

function write(name, table) {
  const text = readFileSync(readme, 'utf8')
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [before, rest] = text.split(begin)
  if (rest === undefined) throw new Error(`bench/README.md has no ${begin}`)
  writeFileSync(readme, `${before}${begin}\n\n${table}\n\n${end}${rest.split(end)[1]}`)
  console.log(`${name}: written`)
}

write('quality', qualityTable(await quality(names)))
if (folder) {
  const rows = await wcxb(folder, names)
  const lines = rows.map(({ name, f1 }) => `| ${name} | ${(f1 * 100).toFixed(1)} |`)
  write('wcxb', ['| cleaner | F1 |', '|---|---|', ...lines].join('\n'))
}
write('speed', speedTable(speed(2, names)))
if (folder) write('speed on the web', speedTable(speed(2, names, folder)))
write('memory', memoryTable(memory(3, names)))
