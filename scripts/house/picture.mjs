import { readdirSync } from 'node:fs'
import { readPackage } from './read-package.mjs'

const begin = '<!-- rooms -->'
const end = '<!-- end of rooms -->'
const width = 96

/**
 * Each package with its rooms of 50 lines and more, in hundreds of lines: the largest packages and
 * rooms first.
 */
export function picture() {
  const packages = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(folder).map((name) => ({ name, rooms: roomsOf(readPackage(`${folder}/${name}`)) })),
  )
  const sum = ({ rooms }) => [...rooms.values()].reduce((total, lines) => total + lines, 0)
  const longest = Math.max(...packages.map(({ name }) => name.length))
  return packages
    .sort((a, b) => sum(b) - sum(a))
    .flatMap((each) => {
      const head = `${each.name.padEnd(longest)} ${hundreds(sum(each)).padStart(4)}  `
      const rooms = [...each.rooms].filter(([, lines]) => lines >= 50).sort(([, a], [, b]) => b - a)
      const texts = rooms.map(([name, lines]) => `${name} ${hundreds(lines)}`)
      return wrapped(texts).map((line, at) => (at === 0 ? head : ' '.repeat(head.length)) + line)
    })
}

/** ARCHITECTURE.md with the picture between its marks. @throws {Error} without the marks */
export function withPicture(text) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`ARCHITECTURE.md has no ${begin} … ${end}.`)
  const block = ['', '```', ...picture(), '```', ''].join('\n')
  return `${text.slice(0, from + begin.length)}\n${block}\n${text.slice(to)}`
}

const hundreds = (lines) => `${Math.round(lines / 100)}`

/** Lines by room: a folder, or the files next to the folders. */
function roomsOf(files) {
  const rooms = new Map()
  for (const { name, lines } of files) {
    const [, ...path] = name.split('/')
    const room = path.length > 1 ? path[0] : 'files'
    rooms.set(room, (rooms.get(room) ?? 0) + lines)
  }
  return rooms
}

function wrapped(texts) {
  const lines = ['']
  for (const text of texts) {
    const line = lines.at(-1)
    if (line === '') lines[lines.length - 1] = text
    else if (line.length + text.length + 3 <= width) lines[lines.length - 1] = `${line} · ${text}`
    else lines.push(text)
  }
  return lines
}
