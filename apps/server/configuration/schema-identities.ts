import { Type } from 'typebox'
import { closed, file, secret, url } from './schema-values.ts'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

/** What a provider is called with behind its `api_keys` (docs/credentials.md). */
export const furtherCredentials = {
  api_key_files: Type.Optional(
    Type.Array(file({ format: 'key-file', description: 'A file that holds an API key.' }), {
      default: [],
      description: 'Files of further keys; each is read anew when it changes.',
    }),
  ),
  aws: Type.Optional(
    closed(
      "Calls are signed by AWS's keys (SigV4). An empty section: as AWS's SDKs find them, in environment, " +
        'profile, web identity, container or instance.',
      {
        region: text(
          "Whose service is called, where the provider's `regions` do not say it. Default: the one in the " +
            'address, else `AWS_REGION` of the environment.',
        ),
        profile: text("A profile of AWS's shared configuration files."),
        role_arn: text('A role that is taken by what was found.'),
        external_id: text("What the role's trust policy wants to be told."),
        session_name: text("The session's name in CloudTrail. Default: `turnpike`."),
        web_identity_token_file: Type.Optional(
          file({ description: 'A token by which the role is taken; read anew when it changes.' }),
        ),
        access_key_id: text('Keys that are written down; a role needs none.'),
        secret_access_key: Type.Optional(secret({ description: 'Belongs to `access_key_id`.' })),
        session_token: Type.Optional(secret({ description: 'Of keys that end.' })),
      },
    ),
  ),
  google: Type.Optional(
    closed(
      "Calls have an access token of Google Cloud's. An empty section: application-default credentials.",
      {
        credentials_file: Type.Optional(
          file({
            description:
              "The JSON of a service account or a workload identity, as Google's console gives it; read " +
              'anew when it changes.',
          }),
        ),
        credentials: Type.Optional(secret({ description: 'The same as text.' })),
        impersonate: text('The address of a service account for which a token is asked.'),
      },
    ),
  ),
  entra: Type.Optional(
    closed(
      "Calls have an access token of Microsoft Entra's. An empty section: this machine's managed identity.",
      {
        tenant_id: text('The directory of the application.'),
        client_id: text('The application; without secret, certificate and token: the managed identity.'),
        client_secret: Type.Optional(secret({ description: "The secret's value." })),
        client_secret_file: Type.Optional(
          file({ description: 'A file that holds it; read anew when it changes.' }),
        ),
        certificate_file: Type.Optional(
          file({ description: 'A certificate with its private key (PEM); read anew when it changes.' }),
        ),
        token_file: Type.Optional(
          file({ description: 'The token of a workload identity; read anew when it changes.' }),
        ),
        scope: text('What the token is for. Default: `https://cognitiveservices.azure.com/.default`.'),
      },
    ),
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
