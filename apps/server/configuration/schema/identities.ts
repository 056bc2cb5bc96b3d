import { Type } from 'typebox'
import { closed, file, secret, url } from './values.ts'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

/** Credentials that a provider uses after its `api_keys` (docs/credentials.md). */
export const furtherCredentials = {
  api_key_files: Type.Optional(
    Type.Array(file({ format: 'key-file', description: 'A file that holds an API key.' }), {
      default: [],
      description: 'Files with one further key each; reread when they change.',
    }),
  ),
  aws: Type.Optional(
    closed(
      "Signs calls with AWS credentials (SigV4). Empty: as AWS's SDKs find them, in environment, " +
        'profile, web identity, container or instance.',
      {
        region: text(
          "Region, if the provider's `regions` do not say it. Default: the one in the base URL, " +
            'else `AWS_REGION`.',
        ),
        profile: text("A profile in AWS's shared configuration files."),
        role_arn: text('A role to assume with the credentials found.'),
        external_id: text("External id required by the role's trust policy."),
        session_name: text('Session name in CloudTrail. Default: `turnpike`.'),
        web_identity_token_file: Type.Optional(
          file({ description: 'A token to exchange for the role; reread when it changes.' }),
        ),
        access_key_id: text('A static access key.'),
        secret_access_key: Type.Optional(secret({ description: 'Secret of `access_key_id`.' })),
        session_token: Type.Optional(secret({ description: 'Session token of temporary keys.' })),
      },
    ),
  ),
  google: Type.Optional(
    closed('Calls with an access token of Google Cloud. Empty: application-default credentials.', {
      credentials_file: Type.Optional(
        file({
          description:
            "JSON file of a service account or workload identity, from Google's console; reread " +
            'when it changes.',
        }),
      ),
      credentials: Type.Optional(secret({ description: 'The same JSON as text.' })),
      impersonate: text('Email of a service account to impersonate.'),
    }),
  ),
  entra: Type.Optional(
    closed("Calls with an access token of Microsoft Entra. Empty: this machine's managed identity.", {
      tenant_id: text('Tenant (directory) of the application.'),
      client_id: text('Application id; without secret, certificate and token, the id of a managed identity.'),
      client_secret: Type.Optional(secret({ description: 'Client secret.' })),
      client_secret_file: Type.Optional(
        file({ description: 'A file with the client secret; reread when it changes.' }),
      ),
      certificate_file: Type.Optional(
        file({ description: 'A certificate with its private key (PEM); reread when it changes.' }),
      ),
      token_file: Type.Optional(
        file({ description: 'Token of a workload identity; reread when it changes.' }),
      ),
      scope: text('Scope of the token. Default: `https://cognitiveservices.azure.com/.default`.'),
    }),
  ),
  deployments: Type.Optional(
    closed(
      'What is deployed in the resource is listed every ten minutes, and each deployment is a model by its ' +
        'own name (`azure`). The identity (`entra`) needs the role "Reader" there.',
      {
        subscription: Type.String({ format: 'resource', description: 'The identifier of the subscription.' }),
        resource_group: Type.String({ minLength: 1, description: 'The group that the resource is in.' }),
        account: Type.Optional(
          Type.String({ format: 'resource', description: "The resource's name. Default: `resource`." }),
        ),
        management_url: Type.Optional(
          url(['http', 'https'], {
            description: "Azure's management. Default: `https://management.azure.com`.",
          }),
        ),
      },
    ),
  ),
}
