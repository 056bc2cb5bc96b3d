import { refusesBeta } from '@turnpike/vendors'
import type { CatalogModel } from '@turnpike/vendors'
import type { CandidateRequest } from '../context/stages.ts'

/** The header in which callers of Anthropic's Messages ask for what is no part of it yet. */
export const betaHeader = 'anthropic-beta'

/** A longer header is none of a client that means well. */
export const mostHeaderCharacters = 4_096

/** Longer prompts, at prices that models with a shorter context do not have here. */
const longContext = 'context-1m'
const longContextTokens = 1_000_000

/**
 * The betas that the vendor is asked for: the operator's before the caller's, as they were written.
 * @param isElsewhere another than their maker serves the model, and refuses what it does not know
 * @returns undefined: none
 */
export function formatBetas(asking: CandidateRequest, isElsewhere: boolean): string | undefined {
  const { request, candidate } = asking
  const said = request.exchange.header(betaHeader)
  const own = candidate.provider.headers[betaHeader]
  if (said === undefined || said.length > mostHeaderCharacters) return own
  const taken = withinContext(said, candidate.model)
  const known = isElsewhere ? taken.filter((beta) => !isRefused(beta, asking)) : taken
  const all = [...(own === undefined ? [] : [own]), ...known].join(',')
  return all === '' ? undefined : all
}

/** The same as a list, for bodies. */
export function betasSent(asking: CandidateRequest): string[] {
  const betas = formatBetas(asking, true)?.split(',') ?? []
  return betas.map((beta) => beta.trim()).filter((beta) => beta !== '')
}

/** Those of the caller that are left out, as its answer names them. */
export function betasLeftOut(asking: CandidateRequest): string[] {
  const said = asking.request.exchange.header(betaHeader)
  if (said === undefined || said.length > mostHeaderCharacters) return []
  const refused = withinContext(said, asking.candidate.model).filter((beta) => isRefused(beta, asking))
  return refused.map((beta) => `${betaHeader}:${beta.trim()}`)
}

function isRefused(beta: string, { candidate }: CandidateRequest): boolean {
  const { provider, upstream } = candidate
  return beta.trim() !== '' && refusesBeta(provider.format, upstream.model, beta.trim())
}

function withinContext(betas: string, { contextLength }: CatalogModel): string[] {
  const all = betas.split(',')
  if (contextLength >= longContextTokens || !betas.includes(longContext)) return all
  return all.filter((beta) => !beta.trim().startsWith(longContext))
}
