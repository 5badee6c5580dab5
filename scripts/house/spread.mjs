import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Subjects of the aggregator, and two settings, by the words that name them in the source. */
const subjects = {
  journal: /journal/i,
  account: /account/i,
  limits: /\b(?:createLimits|sharedLimits|limitSettings|checkLimits|limitsOf)\b|call\/limits/i,
  pins: /\bpins?\b|pinned|PinStore/i,
  sandbox: /sandbox/i,
  alwaysLoad: /alwaysLoad/,
  firstListSeconds: /firstList(?:Seconds|Ms)/,
}

/** Files, folders and packages whose source mentions a subject: what a change of it has to read. */
export function spread() {
  const files = ['packages', 'apps'].flatMap((root) =>
    readdirSync(root).flatMap((name) =>
      ['src', 'server', 'web'].flatMap((folder) => filesIn(`${root}/${name}/${folder}`)),
    ),
  )
  return Object.entries(subjects).map(([name, pattern]) => {
    const paths = files.filter(({ text }) => pattern.test(text)).map(({ path }) => path)
    const count = (of) => new Set(paths.map(of)).size
    return {
      name,
      files: paths.length,
      folders: count(dirname),
      packages: count((path) => path.split('/', 2).join('/')),
    }
  })
}

function filesIn(folder) {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.d)\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => ({
        path: `${folder}/${name}`,
        text: readFileSync(`${folder}/${name}`, 'utf8'),
      }))
  } catch {
    return []
  }
}
