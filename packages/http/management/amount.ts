import { AmountError, parseUsd } from '@turnpike/billing'
import { invalidRequest } from '@turnpike/protocol'

/** A field's amount in pico-USD. @throws {GatewayError} 400 that names the field */
export function amountOf(value: string | number, param: string): bigint {
  try {
    return parseUsd(value)
  } catch (error) {
    if (error instanceof AmountError) throw invalidRequest(param, `\`${param}\`: ${error.message}.`)
    throw error
  }
}

/** As `amountOf`, for amounts that say how much and never in which direction. */
export function positiveAmountOf(value: string | number, param: string): bigint {
  const amountPico = amountOf(value, param)
  if (amountPico <= 0n) throw invalidRequest(param, `\`${param}\`: expected more than 0.`)
  return amountPico
}
