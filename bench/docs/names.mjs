// Real names over ten manuals of ten generators: does get_doc_section return what a name means, at the
// first call? The names and the words that must come are from the HTML, see page-names.mjs.
//   node tasks/manuals.mjs && node names.mjs [--seed 1] [--count 200] [--only MANUAL,…] [--each]
// Resolved: the reply has the words after the name, and those of no other part before them.
// Wrong: a reply without them. Refused: an error, which names others. --each prints all but the first.
import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { connect, pageText } from './client.mjs'
import { namesOf } from './page-names.mjs'
import { createRandom, shuffle } from './random.mjs'
import { manuals, pagesOf } from './tasks/manuals.mjs'
import { plain, visible } from './truth.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    only: { type: 'string' },
    each: { type: 'boolean', default: false },
  },
})
const chosen = (
  values.only ?? 'git,postgresql,sqlalchemy,apache,node,zsh,npm,ffmpeg,bind,libvirt'
).split(',')
const count = Number(values.count)
const maxPages = 60
/** Longer pages hold the others once more. */
const maxPageBytes = 3_000_000

/** Of each kind the same number, as far as there are; not many of one page. */
function drawn(manual, random) {
  const fitting = (page) =>
    statSync(`${manual.root}/${page}`).size <= maxPageBytes && !/genindex|search\.html/.test(page)
  const pages = shuffle(pagesOf(manual).filter(fitting), random)
  const kinds = new Map()
  let read = 0
  for (const page of pages) {
    if (read === maxPages) break
    const names = namesOf(readFileSync(`${manual.root}/${page}`, 'utf8'), random)
    if (names.length > 0) read++
    for (const name of names)
      kinds.set(name.kind, [...(kinds.get(name.kind) ?? []), { ...name, page }])
  }
  const most = Math.ceil((4 * count) / read)
  const perPage = new Map()
  const queues = [...kinds.values()].map((names) => shuffle(names, random))
  const taken = []
  while (taken.length < count && queues.some((queue) => queue.length > 0))
    for (const queue of queues) {
      const name = queue.pop()
      if (!name || taken.length === count) continue
      const before = perPage.get(name.page) ?? 0
      if (before >= most) continue
      perPage.set(name.page, before + 1)
      taken.push(name)
    }
  return taken
}

function outcomeOf({ text, isError }, { text: wanted, others }) {
  if (isError) return 'refused'
  const reply = plain(visible(pageText(text)))
  const at = reply.indexOf(wanted)
  if (at < 0) return 'wrong'
  const before = reply.slice(0, at)
  return others.some((other) => before.includes(other)) ? 'wrong' : 'resolved'
}

const results = []
for (const name of chosen) {
  const manual = manuals.get(name)
  const asked = drawn(manual, createRandom(Number(values.seed)))
  const server = await connect([manual.root])
  for (const one of asked) {
    const args = { url: `${manual.root}/${one.page}`, section: one.name }
    const reply = await server.call('get_doc_section', args)
    const outcome = outcomeOf(reply, one)
    results.push({ manual: name, kind: one.kind, outcome })
    if (values.each && outcome !== 'resolved')
      console.log(
        `${outcome}: ${name} ${one.page} ${one.kind} “${one.name}” → ${one.text}\n    ${reply.text.slice(0, 300).replace(/\n/g, ' ')}`,
      )
  }
  await server.close()
}

const share = (own, outcome) => own.filter((one) => one.outcome === outcome).length
function table(title, key) {
  console.log(`\n| ${title} | names | resolved % | refused | wrong |\n|---|---|---|---|---|`)
  const groups = [...new Set(results.map((one) => one[key])), ...(key === 'manual' ? ['all'] : [])]
  for (const group of groups) {
    const own = group === 'all' ? results : results.filter((one) => one[key] === group)
    const resolved = ((100 * share(own, 'resolved')) / own.length).toFixed(1)
    console.log(
      `| ${group} | ${own.length} | ${resolved} | ${share(own, 'refused')} | ${share(own, 'wrong')} |`,
    )
  }
}
table('manual', 'manual')
table('kind of name', 'kind')
