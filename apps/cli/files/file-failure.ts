import { exitCodes, Failure } from '../failure.ts'

/** A failure for a local file that cannot be used, with its path. */
export function fileFailure(
  error: unknown,
  path: string,
  use: 'read' | 'written' | 'removed' | 'made',
): Failure {
  const reason = error instanceof Error ? error.message : String(error)
  return localFailure(`${path} cannot be ${use}: ${reason}.`, error)
}

/** A failure for a local file with unexpected content. Nothing overwrites it. */
export function corruptFile(path: string, reason: string): Failure {
  return localFailure(`${path} is invalid: ${reason}.`, undefined, 'Fix it, or move it away.')
}

function localFailure(message: string, cause: unknown, hint?: string): Failure {
  return new Failure(message, {
    type: 'local_file_error',
    exitCode: exitCodes.user,
    cause,
    ...(hint !== undefined && { hint }),
  })
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT'
}
