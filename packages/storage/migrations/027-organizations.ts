import { refuse, wordList, type EngineWords, type Migration } from './migration.ts'

const roles = ['owner', 'admin', 'developer', 'billing', 'viewer']

/**
 * Accounts of organizations, their members, and the owner of each key. A key's member and project never
 * change, so that charges stay with them: handing a key over creates a new row, which the old secret stands
 * for.
 */
export const organizations: Migration = {
  number: 27,
  name: 'organizations',
  statements: (words) => [
    ...accountKinds(words),
    ...memberTables(words),
    ...ownersOfKeys(words),
    // Everybody who signs in has their own account. If they acted for another one, this names theirs.
    `ALTER TABLE audit_entries ADD COLUMN on_behalf_of ${words.text}`,
  ],
}

/**
 * An organization never has an address or a subject: an account with an address and no subject is given to
 * whoever signs in with that address.
 */
function accountKinds({ text, integer, tableEnd }: EngineWords): string[] {
  return [
    `ALTER TABLE accounts ADD COLUMN kind ${text} NOT NULL DEFAULT 'person' CHECK (kind = 'person'
      OR (kind = 'organization' AND email IS NULL AND subject IS NULL AND operator = 0))`,
    // This row is the lock for changes to the organization's members.
    `CREATE TABLE organizations (
      account_id ${text} NOT NULL PRIMARY KEY REFERENCES accounts (id),
      created_by ${text} NOT NULL REFERENCES accounts (id),
      created_at_ms ${integer} NOT NULL
    )${tableEnd}`,
    'CREATE INDEX organizations_by_maker ON organizations (created_by)',
  ]
}

function memberTables({ text, integer, tableEnd }: EngineWords): string[] {
  return [
    // One row per person, forever: a returning member has the same budget and history.
    `CREATE TABLE memberships (
      id ${text} NOT NULL PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organizations (account_id),
      kind ${text} NOT NULL CHECK (kind IN ('person', 'service')),
      person_id ${text} REFERENCES accounts (id),
      name ${text},
      role ${text} NOT NULL CHECK (role IN (${wordList(roles)})),
      status ${text} NOT NULL CHECK (status IN ('active', 'leaving', 'removed')),
      keys_go ${text} CHECK (keys_go IN ('organization', 'revoked')),
      source ${text} NOT NULL CHECK (source IN ('founder', 'invitation', 'claims', 'operator', 'admin')),
      invited_by ${text} REFERENCES memberships (id),
      created_at_ms ${integer} NOT NULL,
      removed_at_ms ${integer},
      UNIQUE (organization_id, id),
      UNIQUE (organization_id, person_id),
      CHECK ((kind = 'person') = (person_id IS NOT NULL)),
      CHECK ((kind = 'service') = (name IS NOT NULL)),
      CHECK (status <> 'leaving' OR keys_go IS NOT NULL),
      CHECK ((status = 'active') = (removed_at_ms IS NULL))
    )${tableEnd}`,
    'CREATE INDEX memberships_by_person ON memberships (person_id)',
    `CREATE INDEX memberships_leaving ON memberships (id) WHERE status = 'leaving'`,
    `CREATE TABLE org_invitations (
      id ${text} NOT NULL PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organizations (account_id),
      code_hash ${text} NOT NULL UNIQUE,
      email ${text},
      role ${text} NOT NULL CHECK (role IN (${wordList(roles)})),
      created_by ${text} REFERENCES memberships (id),
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      used_at_ms ${integer},
      used_by ${text} REFERENCES memberships (id),
      revoked_at_ms ${integer},
      CHECK ((used_at_ms IS NULL) = (used_by IS NULL)),
      CHECK (used_at_ms IS NULL OR revoked_at_ms IS NULL)
    )${tableEnd}`,
    'CREATE INDEX org_invitations_by_organization ON org_invitations (organization_id, id)',
    `CREATE TABLE projects (
      id ${text} NOT NULL PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES accounts (id),
      name ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      archived_at_ms ${integer},
      UNIQUE (account_id, id)
    )${tableEnd}`,
    'CREATE UNIQUE INDEX projects_by_name ON projects (account_id, name) WHERE archived_at_ms IS NULL',
  ]
}

/** NULL: the key belongs to the organization itself, or to no project. */
function ownersOfKeys(words: EngineWords): string[] {
  const { text, integer } = words
  return [
    `ALTER TABLE api_keys ADD COLUMN member_id ${text} REFERENCES memberships (id)`,
    `ALTER TABLE api_keys ADD COLUMN project_id ${text} REFERENCES projects (id)`,
    // 1: the secrets of the rows that it replaced stand for it permanently.
    `ALTER TABLE api_keys ADD COLUMN handed_over ${integer} NOT NULL DEFAULT 0 CHECK (handed_over IN (0, 1))`,
    'CREATE INDEX api_keys_by_member ON api_keys (account_id, member_id) WHERE member_id IS NOT NULL',
    'CREATE INDEX api_keys_by_project ON api_keys (account_id, project_id) WHERE project_id IS NOT NULL',
    'DROP INDEX api_keys_purpose',
    `CREATE UNIQUE INDEX api_keys_purpose ON api_keys (account_id, purpose, coalesce(member_id, ''))
      WHERE purpose IS NOT NULL AND status = 'active'`,
    ...refuse(words, {
      name: 'api_keys_keep_their_owner',
      on: 'BEFORE UPDATE OF account_id, member_id, project_id ON api_keys',
      when: `NEW.account_id <> OLD.account_id OR NEW.member_id IS DISTINCT FROM OLD.member_id
        OR NEW.project_id IS DISTINCT FROM OLD.project_id`,
      message: 'whose a key is never changes',
    }),
    ...refuse(words, {
      name: 'api_keys_belong_to_their_account',
      on: 'BEFORE INSERT ON api_keys',
      when: 'NEW.member_id IS NOT NULL OR NEW.project_id IS NOT NULL',
      exists: `SELECT 1 WHERE (NEW.member_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM memberships
          WHERE memberships.id = NEW.member_id AND memberships.organization_id = NEW.account_id))
        OR (NEW.project_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM projects
          WHERE projects.id = NEW.project_id AND projects.account_id = NEW.account_id))`,
      message: 'a key is of a member and a project of its own account',
    }),
  ]
}
