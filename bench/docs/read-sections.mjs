import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { manualsFolder } from './trees.mjs'

export const sectionsFile = `${manualsFolder}/sections.jsonl`

/** The pages of a file that sections.mjs wrote, one by one. */
export async function* pagesIn(file = sectionsFile) {
  if (!existsSync(file))
    throw new Error(`${file} is not here: node manuals.mjs && node sections.mjs`)
  for await (const line of createInterface({ input: createReadStream(file) }))
    if (line) yield JSON.parse(line)
}

/** All sections as flat records, each with what its page is called. */
export async function* sectionsIn(file) {
  for await (const { url, title: pageTitle, sections } of pagesIn(file))
    for (const section of sections) yield { url, pageTitle, ...section }
}
