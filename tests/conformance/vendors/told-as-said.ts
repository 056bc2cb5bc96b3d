import type { RecordedCase } from '@turnpike/simulators'
import { expect } from 'vitest'
import type { SaidAnswer, SaidChoice, SaidProof } from './oracle/said-answer.ts'

/** Fails where a caller was told anything else than what the vendor said. */
export function expectTold(told: SaidAnswer, answer: SaidAnswer, { vendor, api }: RecordedCase): void {
  const google = api.endsWith('enerateContent')
  expect(told.choices.map(comparable)).toEqual(answer.choices.map(comparable))
  for (const [index, choice] of told.choices.entries()) {
    const expected = answer.choices[index]!
    expectIdentifiers(choice, google ? undefined : expected)
    // Vendors that speak OpenAI's shape have their own, which passes through.
    if (vendor === 'anthropic') expect(choice.proofs).toEqual(expected.proofs)
    if (google) expectSignaturesKept(choice, expected.proofs)
  }
  if (answer.usage === undefined) expect(told.usage).toBeDefined()
  // OpenAI's usage does not tell for how long was written: the price does.
  else expect(told.usage).toEqual({ ...answer.usage, written1h: 0 })
}

function comparable({ proofs: _proofs, toolCalls, ...choice }: SaidChoice): object {
  return { ...choice, toolCalls: toolCalls.map(({ name, arguments: given }) => ({ name, given })) }
}

/** The vendor's own identifiers, or some where it has none; no two calls of an answer share one. */
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
 * Google signs calls and texts. A call's signature travels in its identifier, every other one in
 * `reasoning_details`: each must be somewhere, or the next turn would be refused.
 */
function expectSignaturesKept(choice: SaidChoice, proofs: readonly SaidProof[]): void {
  const kept = [...choice.toolCalls.map(({ id }) => id), ...choice.proofs.map(proofText)].join(' ')
  for (const proof of proofs) expect(urlSafe(kept)).toContain(urlSafe(proofText(proof)))
}

function proofText(proof: SaidProof): string {
  return 'signature' in proof ? proof.signature : proof.encrypted
}

/** Identifiers hold base64 in the alphabet that is safe anywhere. */
function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
