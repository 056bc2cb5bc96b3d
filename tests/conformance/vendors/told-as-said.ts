import type { RecordedCase } from '@turnpike/simulators'
import { expect } from 'vitest'
import type { SaidAnswer, SaidChoice, SaidProof } from './oracle/said-answer.ts'

/** Fails if a caller received anything other than the vendor's answer. */
export function expectTold(told: SaidAnswer, answer: SaidAnswer, { vendor, api }: RecordedCase): void {
  const google = api.endsWith('enerateContent')
  expect(told.choices.map(comparable)).toEqual(answer.choices.map(comparable))
  for (const [index, choice] of told.choices.entries()) {
    const expected = answer.choices[index]!
    expectIdentifiers(choice, google ? undefined : expected)
    // Vendors of OpenAI's format have this field themselves, and it passes through.
    if (vendor === 'anthropic') expect(choice.proofs).toEqual(expected.proofs)
    if (google) expectSignaturesKept(choice, expected.proofs)
  }
  if (answer.usage === undefined) expect(told.usage).toBeDefined()
  // OpenAI's usage does not say how long tokens were cached, but the price shows it.
  else expect(told.usage).toEqual({ ...answer.usage, written1h: 0 })
}

function comparable({ proofs: _proofs, toolCalls, ...choice }: SaidChoice): object {
  return { ...choice, toolCalls: toolCalls.map(({ name, arguments: given }) => ({ name, given })) }
}

/** The vendor's own identifiers, or generated ones; no two calls of an answer share one. */
function expectIdentifiers(choice: SaidChoice, expected: SaidChoice | undefined): void {
  const identifiers = choice.toolCalls.map(({ id }) => id)
  expect(new Set(identifiers).size).toBe(identifiers.length)
  for (const [index, id] of identifiers.entries()) {
    const own = expected?.toolCalls[index]?.id
    // The deprecated functions have none.
    if (choice.finish === 'function_call') expect(id).toBe(own)
    else if (own === undefined) expect(id).toMatch(/./u)
    else expect(id).toBe(own)
  }
}

/**
 * Google signs calls and texts. A call's signature is in its identifier, every other one in
 * `reasoning_details`. Each must be somewhere, or Google would refuse the next turn.
 */
function expectSignaturesKept(choice: SaidChoice, proofs: readonly SaidProof[]): void {
  const kept = [...choice.toolCalls.map(({ id }) => id), ...choice.proofs.map(proofText)].join(' ')
  for (const proof of proofs) expect(urlSafe(kept)).toContain(urlSafe(proofText(proof)))
}

function proofText(proof: SaidProof): string {
  return 'signature' in proof ? proof.signature : proof.encrypted
}

/** Identifiers contain base64 in the URL-safe alphabet. */
function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
