import { expect, test } from 'vitest'
import * as aggregator from '../src/index.ts'

test('the public names stay as they are', () => {
  expect(Object.keys(aggregator).sort()).toEqual([
    'AggregatorError',
    'commandSecret',
    'countInRedis',
    'createAggregator',
    'createFileCatalogStore',
    'createFileJournal',
    'createFilePinStore',
    'createHttpHandler',
    'createKeychain',
    'createMeaningSearch',
    'createMemoryCatalogStore',
    'createMemoryPinStore',
    'createResultStore',
    'diffOf',
    'embedBy',
    'fileSecret',
    'isRunning',
    'keychainSecret',
    'modes',
    'nearestOf',
    'noJournal',
    'readConfig',
    'readJournal',
    'serveStdio',
    'signatureOf',
    'summaryOf',
    'unitName',
    'unitsOf',
    'usageGroups',
    'usageOf',
    'vectorStoreIn',
  ])
})
