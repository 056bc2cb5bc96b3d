import type { VerifyOptions } from '@turnpike/billing'
import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'

/** Thrown to stop a verification, from within any of its pages. */
export class VerificationStopped extends Error {
  override readonly name = 'Stopped'
}

/** Pauses a verification between its queries if the settings say so, and stops it there. */
export class VerificationPauses implements KyselyPlugin {
  readonly #options: Pick<VerifyOptions, 'rest' | 'signal'>

  constructor(options: Pick<VerifyOptions, 'rest' | 'signal'>) {
    this.#options = options
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const { rest, signal } = this.#options
    await rest?.()
    if (signal?.aborted === true) throw new VerificationStopped()
    return result
  }
}
