import { expect, test } from 'vitest'
import * as clients from '../../src/clients/index.ts'
import * as files from '../../src/files/index.ts'

test('the public names stay as they are', () => {
  expect(Object.keys(clients).sort()).toEqual([
    'AddError',
    'EntryRefused',
    'addServer',
    'addressOf',
    'allClients',
    'clientNames',
    'describeAddError',
    'describeAdded',
    'findClient',
    'hostEnvironment',
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
