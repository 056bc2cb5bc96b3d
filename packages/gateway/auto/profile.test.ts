import { expect, it } from 'vitest'
import { profileOf } from './profile.ts'

it.each([
  ['auto', 'auto'],
  ['turnpike/auto', 'auto'],
  ['turnpike/auto-eco', 'eco'],
  ['auto-premium', 'premium'],
  ['turnpike/auto-fast', undefined],
  ['turnpike/turnpike/auto', undefined],
  ['openai/auto', undefined],
  ['autocomplete', undefined],
  ['constructor', undefined],
])('%s: %s', (model, profile) => {
  expect(profileOf(model)).toBe(profile)
})
