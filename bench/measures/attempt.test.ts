import { expect, test } from 'vitest'
import { noRounds } from '../report/figures.ts'
import { attempt, type Measured } from './attempt.ts'

function subject(isOptional: boolean): Measured {
  return { name: 'peer', isOptional, rounds: noRounds(), failed: new Set() }
}

const fails = (): Promise<never> => Promise.reject(new Error('streams ended: 200'))

test('leaves out a measure in all rounds if an optional subject fails at it, and nothing else', async () => {
  const messages: string[] = []
  const peer = subject(true)
  const { rounds } = peer
  let asked = 0
  const take = async (): Promise<void> => {
    asked++
    rounds.eventMicroseconds.push(20)
  }
  const say = (text: string): void => void messages.push(text)
  await attempt(peer, 'requestMicroseconds', async () => rounds.requestMicroseconds.push(100), say)
  await attempt(peer, 'eventMicroseconds', take, say)
  await attempt(peer, 'eventMicroseconds', fails, say)
  await attempt(peer, 'eventMicroseconds', take, say)
  expect(rounds).toMatchObject({ requestMicroseconds: [100], eventMicroseconds: [] })
  expect(asked).toBe(1)
  expect(messages).toEqual(['peer is left out of "CPU µs/SSE event": streams ended: 200'])
})

test('ends the run if any other subject fails', async () => {
  const say = (): never => {
    throw new Error('it said something')
  }
  await expect(attempt(subject(false), 'eventMicroseconds', fails, say)).rejects.toThrow('streams ended')
})
