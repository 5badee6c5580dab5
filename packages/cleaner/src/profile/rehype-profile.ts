import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import { elementsIn } from '../tree/children.ts'
import { classesOf, stringProperty } from '../tree/properties.ts'
import { isTag } from '../tree/tags.ts'
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
const isHolder = isTag(
  `html head meta body main header footer nav aside section article div table tbody tr td ul li
  span a`,
)

function fingerprint(root: Root): { generator: string; marks: ReadonlySet<string> } {
  const marks = new Set<string>()
  let generator = ''
  walk(root)
  return { generator, marks }

  function walk(node: Root | Element): void {
    for (const child of elementsIn(node).filter(isHolder))
      if (child.tagName !== 'meta') {
        marks.add(`#${child.properties['id']}`)
        for (const name of classesOf(child)) marks.add(`.${name}`)
        walk(child)
      } else if (stringProperty(child, 'name')?.toLowerCase() === 'generator')
        generator = stringProperty(child, 'content')?.toLowerCase() ?? ''
  }
}
