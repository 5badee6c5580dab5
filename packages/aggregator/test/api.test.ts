import { expect, test } from 'vitest'
import * as aggregator from '../src/index.ts'

test('the public names stay as they are', () => {
  expect(Object.keys(aggregator).sort()).toEqual([
    'AggregatorError',
    'createAggregator',
    'createFileCatalogStore',
    'createHttpHandler',
    'createMemoryCatalogStore',
    'createResultStore',
    'modes',
    'readConfig',
    'serveStdio',
  ])
})
