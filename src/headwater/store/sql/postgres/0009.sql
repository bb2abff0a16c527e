-- The column `wish` holds what a user asks of a running scan.
ALTER TABLE scan RENAME COLUMN wish TO control_request;
