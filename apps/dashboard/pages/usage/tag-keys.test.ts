import { expect, test } from 'vitest'
import { tagKeysOf } from './tag-keys.ts'

test('tagKeysOf returns the keys of tags, the costliest first, including chosen ones', () => {
  const tags = ['team:a', 'web', 'env:prod', 'team:b', ':x', 'x:', 'a b:c', 'url:http://x', 'job: 1']
  expect(tagKeysOf(tags)).toEqual(['team', 'env', 'a b', 'url'])
  expect(tagKeysOf([], ['tag:customer', 'model', undefined])).toEqual(['customer'])
  expect(tagKeysOf(Array.from({ length: 30 }, (_, index) => `k${index}:v`))).toHaveLength(20)
})
