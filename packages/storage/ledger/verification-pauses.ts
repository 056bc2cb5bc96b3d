import type { VerifyOptions } from '@turnpike/billing'
import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'

/** Thrown from within a verification that is to end, through whatever pages it stands in. */
export class VerificationStopped extends Error {
  override readonly name = 'Stopped'
}

/** Has a verification rest between its queries, where it is asked to, and end there. */
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
