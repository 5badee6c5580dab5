import { createRanker } from '@pith-mcp/scorer'

const sections = [
  { title: 'Warehouses', text: 'A warehouse runs queries.' },
  { title: 'Creating warehouses', text: 'Give the warehouse a name.' },
]

const ranker = createRanker(sections, {
  fields: [
    { name: 'heading', text: (section) => section.title, weight: 4 },
    { name: 'own text', text: (section) => section.text, weight: 1 },
  ],
})

const [best] = ranker.rank('How do I create a warehouse?', { limit: 1 })
console.log(best?.item.title, best?.reasons)
