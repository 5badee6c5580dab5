import { createRanker } from '@pith-mcp/scorer'

const recipes = [
  { name: 'Leek soup', ingredients: ['leeks', 'potatoes', 'cream'], steps: 'Simmer, then blend.' },
  { name: 'Potato gratin', ingredients: ['potatoes', 'cream'], steps: 'Slice thin and bake.' },
  { name: 'Baked leeks', ingredients: ['leeks', 'cheese'], steps: 'Bake under cheese.' },
]

const ranker = createRanker(recipes, {
  // The first field is the title. A larger weight counts more.
  fields: [
    { name: 'name', text: (recipe) => recipe.name, weight: 3 },
    { name: 'ingredients', text: (recipe) => recipe.ingredients.join('\n'), weight: 2 },
    { name: 'steps', text: (recipe) => recipe.steps, weight: 1 },
  ],
})

for (const { item, score, reasons } of ranker.rank('bake potatoes'))
  console.log(score.toFixed(2), item.name, reasons)
