import { refusesBeta } from '@turnpike/vendors'
import type { CatalogModel } from '@turnpike/vendors'
import type { CandidateRequest } from '../context/stages.ts'

/** The header that requests beta features of Anthropic's Messages API. */
export const betaHeader = 'anthropic-beta'

/** No legitimate client sends a longer header. */
export const mostHeaderCharacters = 4_096

/** Longer prompts, which models with a shorter context have no prices for here. */
const longContext = 'context-1m'
const longContextTokens = 1_000_000

/**
 * The betas to send to the vendor: the operator's, then the caller's, as they were written.
 * @param isElsewhere the model is served by a platform other than its maker, which rejects unknown betas
 * @returns undefined for none
 */
export function formatBetas(asking: CandidateRequest, isElsewhere: boolean): string | undefined {
  const { request, candidate } = asking
  const callerBetas = request.exchange.header(betaHeader)
  const own = candidate.provider.headers[betaHeader]
  if (callerBetas === undefined || callerBetas.length > mostHeaderCharacters) return own
  const taken = withinContext(callerBetas, candidate.model)
  const known = isElsewhere ? taken.filter((beta) => !isRefused(beta, asking)) : taken
  const all = [...(own === undefined ? [] : [own]), ...known].join(',')
  return all === '' ? undefined : all
}

/** The same as a list, for request bodies. */
export function betasSent(asking: CandidateRequest): string[] {
  const betas = formatBetas(asking, true)?.split(',') ?? []
  return betas.map((beta) => beta.trim()).filter((beta) => beta !== '')
}

/** The caller's betas that were left out, as the answer's header names them. */
export function betasLeftOut(asking: CandidateRequest): string[] {
  const callerBetas = asking.request.exchange.header(betaHeader)
  if (callerBetas === undefined || callerBetas.length > mostHeaderCharacters) return []
  const refused = withinContext(callerBetas, asking.candidate.model).filter((beta) => isRefused(beta, asking))
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
