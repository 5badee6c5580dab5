import { expect, test } from 'vitest'
import { createProfiles } from '../../../src/catalog/policy/access.ts'

const settings = { docs: { servers: [] }, all: {} }
const profiles = createProfiles(settings, [], { ci: { profile: 'docs' } })

test('a caller has the profile of the configuration, whatever it comes with', () => {
  expect(profiles.of({ caller: 'ci', profile: 'all' }).name).toBe('docs')
})

test('a caller that is not in the configuration any more has nothing', () => {
  expect(profiles.of({ caller: 'gone', profile: 'all' }).name).toBe('')
})

test('a guest has the profile it was let in with, and never that of a caller by its name', () => {
  expect(profiles.of({ caller: 'token:ada', profile: 'all', isGuest: true }).name).toBe('all')
  expect(profiles.of({ caller: 'ci', profile: 'all', isGuest: true }).name).toBe('all')
})
