import { expect, test } from 'vitest'
import { allLanguages } from '../../src/languages/all-languages.ts'
import type { Language } from '../../src/languages/language.ts'
import { loadGrammar } from '../../src/parse/parse-text.ts'

/** What a rule that names it has no effect for. */
async function unknownNames(language: Language): Promise<string[]> {
  const { name, grammar = name, definitions, lists, wrappers = [], tokens, leads = [] } = language
  const { interpolated = [] } = language
  const loaded = await loadGrammar(grammar)
  const types = Array.from({ length: loaded.nodeTypeCount }, (_, id) => loaded.nodeTypeForId(id))
  const rules = Object.values(definitions)
  const nodes = [
    ...Object.keys(definitions),
    ...Object.keys(lists),
    ...rules.flatMap(({ when }) => when?.types ?? []),
    ...wrappers,
    ...tokens,
    ...leads,
    ...interpolated,
  ]
  const fields = [
    ...rules.flatMap(({ name, when, body }) => [name, when?.field, body]),
    ...Object.values(lists).map((list) => (list === true ? undefined : list.replace('!', ''))),
  ].filter((field) => typeof field === 'string')
  return [
    ...nodes.filter((node) => !types.includes(node)),
    ...fields.filter((field) => !loaded.fields.includes(field)),
  ]
}

test.for(allLanguages.map((language) => [language.name, language] as const))(
  'the rules of %s name nodes and fields that its grammar has',
  async ([, language]) => {
    expect(await unknownNames(language)).toEqual([])
  },
)
