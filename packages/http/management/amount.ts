import { AmountError, parseUsd } from '@turnpike/billing'
import { invalidRequest } from '@turnpike/protocol'

/** The value of a field in pico-USD. @throws {GatewayError} 400 that names the field */
export function amountOf(value: string | number, param: string): bigint {
  try {
    return parseUsd(value)
  } catch (error) {
    if (error instanceof AmountError) throw invalidRequest(param, `\`${param}\`: ${error.message}.`)
    throw error
  }
}

/** As `amountOf`, for amounts that must be positive. */
export function positiveAmountOf(value: string | number, param: string): bigint {
  const amountPico = amountOf(value, param)
  if (amountPico <= 0n) throw invalidRequest(param, `\`${param}\`: expected more than 0.`)
  return amountPico
}
