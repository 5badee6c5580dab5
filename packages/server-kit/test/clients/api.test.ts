import { expect, test } from 'vitest'
import * as clients from '../../src/clients.ts'
import * as files from '../../src/files.ts'

test('the public names stay as they are', () => {
  expect(Object.keys(clients).sort()).toEqual([
    'EntryRefused',
    'SetupError',
    'addServer',
    'addressOf',
    'allClients',
    'clientNames',
    'describeAdded',
    'findClient',
    'launchOf',
    'matchingLocations',
    'readClient',
    'translateEntry',
  ])
  expect(Object.keys(files).sort()).toEqual([
    'FileChanged',
    'FileRefused',
    'bytesOf',
    'editConfigText',
    'editJsoncPath',
    'isTable',
    'objectAt',
    'readConfigText',
    'readJsonc',
    'readText',
    'replaceUnchanged',
    'sameData',
    'valueAt',
  ])
})
