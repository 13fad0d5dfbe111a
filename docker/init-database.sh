#!/bin/sh
# Runs once, as the superuser, when the database's volume is empty: roles, database and extension (docs/configuration.md).
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" \
  -v owner_password="$AIRIS_OWNER_PASSWORD" -v app_password="$AIRIS_APP_PASSWORD" <<'SQL'
CREATE ROLE airis_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE airis_app LOGIN PASSWORD :'app_password';
CREATE ROLE airis_search NOLOGIN;
CREATE ROLE airis_sweep NOLOGIN;
GRANT airis_search, airis_sweep TO airis_owner WITH INHERIT FALSE, SET TRUE;
CREATE DATABASE airis OWNER airis_owner ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE airis FROM PUBLIC;
GRANT CONNECT, TEMPORARY ON DATABASE airis TO airis_app;
\connect airis
CREATE EXTENSION vector;
SQL
