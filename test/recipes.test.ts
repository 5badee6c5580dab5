import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The scripts have no types of their own. */
const load = (name: string) =>
  import(new URL(`../scripts/house/${name}.mjs`, import.meta.url).href) as Promise<unknown>

interface Place {
  path: string
}
interface Recipe {
  title: string
  steps: { text: string; places?: Place[] }[]
}

const { recipes } = (await load('recipes/all-recipes')) as { recipes: Recipe[] }
const { faultsOfEdits, filesTouched, performRecipes } = (await load('perform-recipes')) as {
  faultsOfEdits(recipe: Recipe): string[]
  filesTouched(recipe: Recipe): string[]
  performRecipes(recipes: readonly Recipe[]): string[]
}
const { withRecipes } = (await load('write-recipes')) as {
  withRecipes(text: string, recipes: readonly Recipe[]): string
}
const { touched } = JSON.parse(readFileSync('scripts/house/limits.json', 'utf8')) as {
  touched: Record<string, number>
}

test('CONTRIBUTING.md has the recipes', async () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8')
  await expect(withRecipes(text, recipes)).toMatchFileSnapshot('../CONTRIBUTING.md')
})

test.for(recipes)('$title: its places are as it says', (recipe) => {
  expect(faultsOfEdits(recipe)).toEqual([])
})

test.for(recipes)('$title: it touches no more files than its limit', (recipe) => {
  expect(filesTouched(recipe).length).toBeLessThanOrEqual(touched[recipe.title] ?? 0)
})

// Compiles everything once, and runs the tests of eight subjects.
test.skipIf(!process.env['LONG'])(
  'all recipes work in a copy, and need no other place',
  () => {
    expect(performRecipes(recipes).join('\n\n')).toBe('')
  },
  600_000,
)
