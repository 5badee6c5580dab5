import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import { classesOf, stringProperty } from '../tree/properties.ts'
import { apiTools } from './api-tools.ts'
import type { Profile } from './profile.ts'
import { siteGenerators } from './site-generators.ts'
import { sites } from './sites.ts'

declare module 'vfile' {
  interface DataMap {
    profile: Profile
  }
}

/** The first match is used. */
const profiles: readonly Profile[] = [...apiTools, ...sites, ...siteGenerators]
const allMarks = new Set(profiles.flatMap(({ marks = [] }) => marks))

/** Recognise the generator of a page and store its `profile` in the file's data. */
export const rehypeProfile: Plugin<[], Root> = () => (root, file) => {
  const { generator, marks } = fingerprint(root)
  const profile = profiles.find(
    (candidate) =>
      (candidate.generators?.some((begin) => generator.startsWith(begin)) ?? true) &&
      (candidate.marks?.every((mark) => marks.has(mark)) ?? true),
  )
  if (profile) file.data.profile = profile
}

/** Elements that are searched for marks: not running text and code. */
const holders = new Set(
  'html head meta body main header footer nav aside section article div table tbody tr td ul li span a'.split(
    ' ',
  ),
)

function fingerprint(root: Root): { generator: string; marks: ReadonlySet<string> } {
  const marks = new Set<string>()
  let generator = ''
  const note = (mark: string): void => {
    if (allMarks.has(mark)) marks.add(mark)
  }
  walk(root)
  return { generator, marks }

  function walk(node: Root | Element): void {
    for (const child of node.children) {
      if (child.type !== 'element') continue
      if (!holders.has(child.tagName)) continue
      if (child.tagName === 'meta') {
        if (stringProperty(child, 'name')?.toLowerCase() === 'generator')
          generator = stringProperty(child, 'content')?.toLowerCase() ?? ''
        continue
      }
      const { id } = child.properties
      if (typeof id === 'string') note(`#${id}`)
      for (const name of classesOf(child)) note(`.${name}`)
      walk(child)
    }
  }
}
