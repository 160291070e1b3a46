# Prints account.h with the headers of its wings in the place of their #include lines: the one header that is installed.
#   awk -f one_header.awk src/account/account.h
/^#include "account\// {
    split($0, part, "\"")
    header = ARGV[1]
    sub(/account\/account\.h$/, part[2], header)
    while ((getline line < header) > 0) if (line !~ /^#include "account\//) print line
    next
}
{ print }
