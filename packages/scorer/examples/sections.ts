import { countScorer } from '@pith-mcp/scorer'

const sections = [
  { title: 'Warehouses', text: 'A warehouse runs queries.' },
  { title: 'Create a warehouse', text: 'Give the warehouse a name.' },
]

const ranker = countScorer(sections, {
  heading: (section) => section.title,
  text: (section) => section.text,
})

const [best] = ranker.rank('create warehouse', { limit: 1 })
console.log(best?.item.title, best?.reasons)
