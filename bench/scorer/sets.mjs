// The sets for retrieval, where a copy of them is: a folder per set, with `tools.jsonl` or
// `sections.jsonl`, and `queries.jsonl`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const read = (file) =>
  file.endsWith('.gz')
    ? gunzipSync(readFileSync(file)).toString('utf8')
    : readFileSync(file, 'utf8')

function lines(folder, name) {
  const file = [`${folder}/${name}.jsonl`, `${folder}/${name}.jsonl.gz`].find((path) =>
    existsSync(path),
  )
  return (
    file &&
    read(file)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  )
}

const sets = (folder, kind) =>
  readdirSync(folder)
    .map((name) => ({
      name,
      items: lines(`${folder}/${name}`, kind),
      queries: lines(`${folder}/${name}`, 'queries'),
    }))
    .filter(({ items }) => items)

export const toolSets = (folder) => sets(folder, 'tools')
export const sectionSets = (folder) => sets(folder, 'sections')
