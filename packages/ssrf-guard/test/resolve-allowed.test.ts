import { AddressRefused, addressKind, pinnedLookup, resolveAllowed } from '@pith-mcp/ssrf-guard'
import { expect, test } from 'vitest'

const isPublic = (address: string) => addressKind(address) === 'public'

test('only addresses that are allowed are given', async () => {
  const resolve = async () => ['10.0.0.1', '8.8.8.8', '::ffff:10.0.0.1', '2606:4700::1111']
  expect(await resolveAllowed('a.test', isPublic, resolve)).toEqual(['8.8.8.8', '2606:4700::1111'])
})

test('a host without one is refused, a name or an address', async () => {
  const refused = resolveAllowed('10.0.0.1.nip.io', isPublic, async () => ['10.0.0.1'])
  await expect(refused).rejects.toBeInstanceOf(AddressRefused)
  await expect(resolveAllowed('[::1]', isPublic)).rejects.toMatchObject({ host: '::1' })
})

test('an address is not looked up', async () => {
  const resolve = async () => {
    throw new Error('it was looked up')
  }
  expect(await resolveAllowed('8.8.8.8', isPublic, resolve)).toEqual(['8.8.8.8'])
})

test('a socket dials what was resolved, in each way that it asks', () => {
  const lookup = pinnedLookup(['8.8.8.8', '2606:4700::1111'])
  const answers: unknown[] = []
  const note = (...given: unknown[]) => void answers.push(given)
  lookup('elsewhere.test', { all: true }, note)
  lookup('elsewhere.test', {}, note)
  lookup('elsewhere.test', { family: 6 }, note)
  lookup('elsewhere.test', { family: 'IPv4' }, note)
  expect(answers).toEqual([
    [
      null,
      [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
    ],
    [null, '8.8.8.8', 4],
    [null, '2606:4700::1111', 6],
    [null, '8.8.8.8', 4],
  ])
})
