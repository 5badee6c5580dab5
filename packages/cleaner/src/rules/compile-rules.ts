import type { Element } from 'hast'
import { classesOf } from '../tree/properties.ts'

/** True for an element that one of the rules names. */
export type RuleTest = (element: Element) => boolean

/** Rules by the name that an element has to have for any of them to apply. */
export interface RuleSet {
  hasTag(tagName: string, element: Element): boolean
  hasId(id: string, element: Element): boolean
  hasClass(className: string, element: Element): boolean
}

interface Rule {
  tagName: string | undefined
  id: string | undefined
  classes: readonly string[]
}

/**
 * Compile rules of the forms `tag`, `#id`, `.class` and any of them together (`div.toc.local`),
 * so that an element's own names are looked up instead of every rule being tried.
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
  const lookUp = (rules: Map<string, Rule[]>) => (name: string, element: Element) =>
    rules.get(name)?.some((rule) => applies(rule, element)) ?? false
  return { hasTag: lookUp(byTag), hasId: lookUp(byId), hasClass: lookUp(byClass) }
}

/** Any of the rules, as one test. */
export function matchesRules({ hasTag, hasId, hasClass }: RuleSet): RuleTest {
  return (element) => {
    const { id } = element.properties
    return (
      hasTag(element.tagName, element) ||
      (typeof id === 'string' && hasId(id, element)) ||
      classesOf(element).some((name) => hasClass(name, element))
    )
  }
}

function add(rules: Map<string, Rule[]>, name: string, rule: Rule): void {
  const sameName = rules.get(name)
  if (sameName) sameName.push(rule)
  else rules.set(name, [rule])
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
  return { tagName, id, classes: classes.split('.').filter(Boolean) }
}
