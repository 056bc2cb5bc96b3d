import { CloudServer, endOf, type CloudAnswer, type CloudFault, type CloudRequest } from './cloud-server.ts'

/**
 * The endpoint that issues a managed identity's token to a machine in Azure, as in App Service.
 * https://learn.microsoft.com/en-us/azure/app-service/overview-managed-identity#rest-endpoint-reference
 */
export class ManagedIdentityServer {
  readonly server = new CloudServer((request, fault) => this.#answer(request, fault))
  #given = 0

  #answer({ path, headers }: CloudRequest, fault: CloudFault | undefined): CloudAnswer {
    if (headers['x-identity-header'] !== 'identity-secret') return { status: 401, body: '{}' }
    const query = new URL(path, this.server.origin).searchParams
    const token = {
      access_token: `entra-token-${++this.#given}`,
      expires_on: String(Math.floor(endOf(fault) / 1_000)),
      resource: query.get('resource'),
      token_type: 'Bearer',
      client_id: query.get('client_id') ?? 'system',
    }
    return { body: JSON.stringify(token) }
  }
}
