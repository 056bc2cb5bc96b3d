import type { Migration } from './migration.ts'

/**
 * Mail to all members with certain roles: such a target has `member_id` `*`, which the CHECK of migration 29
 * allows, and one target per member behind it once there is something to send. Codes to unsubscribe from
 * mail. Which invitations were mailed, because their number per day is limited.
 */
export const roleRecipients: Migration = {
  number: 33,
  name: 'role-recipients',
  statements: ({ text, integer }) => [
    `ALTER TABLE event_targets ADD COLUMN roles ${text}`,
    `ALTER TABLE event_targets ADD COLUMN parent_id ${text} REFERENCES event_targets (id) ON DELETE CASCADE`,
    `ALTER TABLE event_targets ADD COLUMN unsubscribe_code ${text}`,
    `CREATE UNIQUE INDEX event_targets_of_members ON event_targets (parent_id, member_id)
      WHERE parent_id IS NOT NULL`,
    `CREATE UNIQUE INDEX event_targets_by_unsubscribe ON event_targets (unsubscribe_code)
      WHERE unsubscribe_code IS NOT NULL`,
    `ALTER TABLE org_invitations ADD COLUMN mailed ${integer} NOT NULL DEFAULT 0 CHECK (mailed IN (0, 1))`,
    'CREATE INDEX org_invitations_mailed_to ON org_invitations (email, created_at_ms) WHERE mailed = 1',
    'CREATE INDEX org_invitations_mailed_by ON org_invitations (created_by, created_at_ms) WHERE mailed = 1',
  ],
}
