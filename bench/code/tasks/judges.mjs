// Judges. read: all lines of the answer, in order. where, small-text: the file, and by it the line or
// a line of up to two before. methods: all names. calls, implements: each symbol of the answer as a
// hit (path#symbol, path: symbol line, name (kind) with path:line, or name:line below **path:**), and
// at most a quarter of others outside of tests; of rg, all names. description: the symbol's file among the first five places of the first reply.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTest } from './oracles.mjs'

export const bareName = (name) => name.split(/::|[.#]/).at(-1)

export const judges = {
  read(replies, { file, lines: [first, last] }, root) {
    const wanted = linesOf(root, file)
      .slice(first - 1, last)
      .map((line) => line.trim())
      .filter(Boolean)
    let at = 0
    for (const line of replies.join('\n').split('\n'))
      if (line.trim() === wanted[at] || line.replace(/^\s*\d+[\t:-]/, '').trim() === wanted[at])
        at++
    return at === wanted.length
  },
  where: (replies, { file, line }) =>
    replies.some((reply) => {
      const lines = reply.split('\n')
      const near = (number) => number <= line && number >= line - 2
      return lines.some(
        (one, at) =>
          one.includes(file) &&
          [...`${one} ${lines[at + 1]}`.replaceAll(file, '').matchAll(/\d+/g)].some(([number]) =>
            near(Number(number)),
          ),
      )
    }),
  methods: (replies, { names }) => names.every((name) => hasName(replies.join('\n'), name)),
  calls(replies, { sites }, _, { name }) {
    const hits = new Set(replies.flatMap(hitsOf))
    const others = [...hits].filter(
      (hit) =>
        !sites.includes(hit) && !isTest(hit.split('#')[0]) && !hit.endsWith(`#${bareName(name)}`),
    )
    return sites.every((site) => hits.has(site)) && others.length * 3 <= sites.length
  },
  description([reply], { places }) {
    const found = [...new Set(reply.match(/[\w./-]+\/[\w.-]+\.[a-z]+(?:#[^\s]+)?/g))].slice(0, 5)
    return places.some((place) => found.some((one) => one.split('#')[0] === place.split('#')[0]))
  },
}
Object.assign(judges, {
  implements: judges.calls,
  'small-calls': judges.calls,
  'small-methods': judges.methods,
  'small-text': judges.where,
  'small-where': judges.where,
})

export const linesOf = (root, file) => readFileSync(join(root, file), 'utf8').split('\n')
export const hasName = (text, name) =>
  RegExp(`(?<![\\w$])${name.replace(/[$!?]/g, '\\$&')}(?!\\w)`).test(text)
export const lastPart = (path) =>
  path
    .replace(/\[\d+\]/g, '')
    .split('/')
    .at(-1)

function hitsOf(reply) {
  const ids = [...reply.matchAll(/^\s*([^\s#]+\.\w+)#([^\s·]+)/gm)].map(
    ([, file, path]) => `${file}#${lastPart(path)}`,
  )
  const named = [...reply.matchAll(/([\w$!?]+)\*{0,2} \((?!file\))\w+\)(?: - |\n)([^\s:]+):\d+/g)]
  const grouped = [...reply.matchAll(/^\*\*(\S+):\*\*\n(.+)/gm)].flatMap(([, file, list]) =>
    [...list.matchAll(/([^\s,]+):\d+/g)].map(([, name]) => `${file}#${name}`),
  )
  // find_references: file: symbol 12, 30 · other 45
  const listed = [...reply.matchAll(/^ {2}(\S+\.\w+): (.+)$/gm)].flatMap(([, file, list]) =>
    list
      .split(' · ')
      .flatMap((one) => /^(\S.*?) \d/.exec(one)?.[1] ?? [])
      .map((path) => `${file}#${lastPart(path)}`),
  )
  return [...ids, ...listed, ...named.map(([, name, file]) => `${file}#${name}`), ...grouped]
}
