import { expect } from 'vitest'
import type { RecordedCase } from '@turnpike/simulators'
import { object, text, type Json } from '../vendors/oracle/json.ts'
import type { SaidAnswer, SaidChoice, SaidUsage } from '../vendors/oracle/said-answer.ts'

/** A choice in formats that have no refusals besides the text, and no functions besides tools. */
export function withoutRefusal({ text: said, refusal, reasoning, finish, toolCalls }: SaidChoice): object {
  return {
    text: said + refusal,
    reasoning,
    finish: finish === 'function_call' ? 'tool_calls' : finish,
    toolCalls: toolCalls.map(({ name, arguments: given }) => ({ name, given: asInput(given) })),
  }
}

/** Arguments are an object, or else the unparsable text. */
function asInput(given: unknown): unknown {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? given
    : { INVALID_JSON: given }
}

/**
 * Compares the first choice and the usage that a caller received with those of the vendor.
 * @param comparable a choice, as far as the caller's format can express it
 * @param counts the usage, likewise
 */
export function expectFirstChoice(
  told: SaidAnswer,
  said: SaidAnswer,
  { vendor, api }: RecordedCase,
  comparable: (choice: SaidChoice) => object,
  counts: (usage: SaidUsage | undefined) => object | undefined,
): void {
  const none = { text: '', refusal: '', reasoning: '', finish: undefined, toolCalls: [], proofs: [] }
  const expected: SaidChoice = said.choices[0] ?? none
  expect(comparable(told.choices[0]!)).toEqual(comparable(expected))
  const ids = told.choices[0]!.toolCalls.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  if (vendor === 'anthropic' || api === 'messages') expect(told.choices[0]!.proofs).toEqual(expected.proofs)
  if (said.usage === undefined) expect(told.usage).toBeDefined()
  else expect(counts(told.usage)).toEqual(counts(said.usage))
}

/** Splits off a stream's error, which must come last and once. @returns its message, undefined without one */
export function splitError(events: readonly Json[], isError: (event: Json) => boolean): [Json[], string?] {
  const failed = events.filter((event) => isError(event))
  expect(failed).toEqual(events.slice(events.length - failed.length))
  expect(failed.length).toBeLessThan(2)
  const told = events.slice(0, events.length - failed.length)
  return failed.length === 0 ? [told] : [told, text(object(failed[0]!['error'])['message'])]
}

/** The message of an error in OpenAI's envelope. */
export function openaiMessage({ error }: Json): string | undefined {
  const message = text(object(error)['message'])
  return message === '' ? undefined : message
}
