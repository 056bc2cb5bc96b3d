import { expect, it } from 'vitest'
import { Conversations, type Conversation } from './conversations.ts'

const conversation = (model: string): Conversation => ({
  tier: 'SIMPLE',
  model,
  inputTokens: 1,
  usedAtMs: 0,
})

it('forgets the least recently used', () => {
  const known = new Conversations(2)
  known.remember('a', conversation('1'))
  known.remember('b', conversation('1'))
  known.remember('a', conversation('2'))
  known.remember('c', conversation('1'))
  expect([known.find('a')?.model, known.find('b'), known.find('c')?.model]).toEqual(['2', undefined, '1'])
})
