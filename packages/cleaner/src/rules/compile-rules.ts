import type { Element } from 'hast'
import { classesOf } from '../tree/properties.ts'

/** True for an element that one of the rules names. */
export type RuleTest = (element: Element) => boolean

interface Rule {
  tagName: string | undefined
  id: string | undefined
  classes: readonly string[]
}

/**
 * Compile rules of the forms `tag`, `#id`, `.class` and any of them together (`div.toc.local`)
 * to a test that looks up an element's own names instead of trying every rule.
 */
export function compileRules(rules: readonly string[]): RuleTest {
  const byName = new Map<string, Rule[]>()
  for (const text of rules) {
    const rule = parseRule(text)
    const [first] = rule.classes
    const name = rule.id !== undefined ? `#${rule.id}` : first !== undefined ? `.${first}` : text
    byName.set(name, [...(byName.get(name) ?? []), rule])
  }
  return (element) => {
    const { id } = element.properties
    const classes = classesOf(element)
    const applies = (rule: Rule): boolean =>
      (rule.tagName === undefined || rule.tagName === element.tagName) &&
      (rule.id === undefined || rule.id === id) &&
      rule.classes.every((name) => classes.includes(name))
    return (
      (byName.get(element.tagName)?.some(applies) ?? false) ||
      (typeof id === 'string' && (byName.get(`#${id}`)?.some(applies) ?? false)) ||
      classes.some((name) => byName.get(`.${name}`)?.some(applies) ?? false)
    )
  }
}

function parseRule(text: string): Rule {
  const [, tagName, id, classes = ''] =
    /^([a-z][\w-]*)?(?:#([^.#\s]+))?((?:\.[^.#\s]+)*)$/i.exec(text) ?? []
  return { tagName, id, classes: classes.split('.').filter(Boolean) }
}
