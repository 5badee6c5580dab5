import type { Element } from 'hast'
import { classesOf } from '../tree/properties.ts'

/** True for an element that a rule matches. */
export type RuleTest = (element: Element) => boolean

/** The text of the rule that matches an element by one of its names. */
type Lookup = (name: string, element: Element) => string | undefined

export interface RuleSet {
  byTag: Lookup
  byId: Lookup
  byClass: Lookup
}

interface Rule {
  text: string
  tagName: string | undefined
  id: string | undefined
  classes: readonly string[]
}

/**
 * Compile rules of the forms `tag`, `#id`, `.class` and combinations (`div.toc.local`) into maps,
 * so that the names of an element are looked up instead of testing every rule.
 */
export function compileRules(texts: readonly string[]): RuleSet {
  const byTag = new Map<string, Rule[]>()
  const byId = new Map<string, Rule[]>()
  const byClass = new Map<string, Rule[]>()
  for (const text of texts) {
    const rule = parseRule(text)
    const [first] = rule.classes
    if (rule.id !== undefined) add(byId, rule.id, rule)
    else if (first !== undefined) add(byClass, first, rule)
    else add(byTag, text, rule)
  }
  const lookup =
    (rules: Map<string, Rule[]>): Lookup =>
    (name, element) => {
      const sameName = rules.get(name)
      // Almost no name has a rule, and a function per lookup would be garbage.
      return sameName && firstThatApplies(sameName, element)
    }
  return { byTag: lookup(byTag), byId: lookup(byId), byClass: lookup(byClass) }
}

export function matchesRules({ byTag, byId, byClass }: RuleSet): RuleTest {
  return (element) => {
    const { id, className } = element.properties
    if (byTag(element.tagName, element) !== undefined) return true
    if (typeof id === 'string' && byId(id, element) !== undefined) return true
    if (!Array.isArray(className)) return false
    for (let index = 0; index < className.length; index++)
      if (byClass(className[index] as string, element) !== undefined) return true
    return false
  }
}

function add(rules: Map<string, Rule[]>, name: string, rule: Rule): void {
  const sameName = rules.get(name)
  if (sameName) sameName.push(rule)
  else rules.set(name, [rule])
}

const firstThatApplies = (rules: readonly Rule[], element: Element): string | undefined =>
  rules.find((rule) => applies(rule, element))?.text

function applies({ tagName, id, classes }: Rule, element: Element): boolean {
  return (
    (tagName === undefined || tagName === element.tagName) &&
    (id === undefined || id === element.properties['id']) &&
    (classes.length < 2 || classes.every((name) => classesOf(element).includes(name)))
  )
}

function parseRule(text: string): Rule {
  const [, tagName, id, classes = ''] =
    /^([a-z][\w-]*)?(?:#([^.#\s]+))?((?:\.[^.#\s]+)*)$/i.exec(text) ?? []
  return { text, tagName, id, classes: classes.split('.').filter(Boolean) }
}
