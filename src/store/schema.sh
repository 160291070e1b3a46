#!/bin/sh
# Prints data/schema/1.sql, 2.sql, … as the C array that src/store/migrate.h declares. Comments stay
# behind.
#   sh src/store/schema.sh data/schema > build/schema.c
set -eu
folder=$1

echo '/* Made by src/store/schema.sh from data/schema. */'
echo 'extern const char *const store_schema[];'
echo 'const char *const store_schema[] = {'
version=1
while [ -f "$folder/$version.sql" ]; do
    sed -e '/^ *--/d' -e '/^ *$/d' -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/    "&\\n"/' "$folder/$version.sql"
    echo '    ,'
    version=$((version + 1))
done
echo '    0};'
