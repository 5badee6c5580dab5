import type { Element } from 'hast'
import { classesOf } from '../tree/properties.ts'

/** True for an element that a rule matches. */
export type RuleTest = (element: Element) => boolean

interface Rule {
  text: string
  tagName: string | undefined
  id: string | undefined
  classes: readonly string[]
}

/** Rules by one of their names. */
type Rules = Map<string, Rule[]>

export interface RuleSet {
  byTag: Rules
  byId: Rules
  byClass: Rules
}

/**
 * Compile rules of the forms `tag`, `#id`, `.class` and combinations (`div.toc.local`) into maps,
 * so that the names of an element are looked up instead of testing every rule.
 */
export function compileRules(texts: readonly string[]): RuleSet {
  const rules: RuleSet = { byTag: new Map(), byId: new Map(), byClass: new Map() }
  for (const text of texts) {
    const rule = parseRule(text)
    const [first] = rule.classes
    if (rule.id !== undefined) add(rules.byId, rule.id, rule)
    else if (first !== undefined) add(rules.byClass, first, rule)
    else add(rules.byTag, text, rule)
  }
  return rules
}

function add(rules: Rules, name: string, rule: Rule): void {
  rules.set(name, [...(rules.get(name) ?? []), rule])
}

/** The text of the rule for a name that matches an element. Almost no name has one. */
export const ruleFor = (rules: Rules, name: string, element: Element): string | undefined =>
  rules.get(name)?.find((rule) => applies(rule, element))?.text

export function matchesRules({ byTag, byId, byClass }: RuleSet): RuleTest {
  return (element) => {
    const { id } = element.properties
    if (ruleFor(byTag, element.tagName, element) !== undefined) return true
    if (typeof id === 'string' && ruleFor(byId, id, element) !== undefined) return true
    return classesOf(element).some((name) => ruleFor(byClass, name, element) !== undefined)
  }
}

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
