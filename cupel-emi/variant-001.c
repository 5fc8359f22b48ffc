# 214 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 3
typedef long unsigned int size_t;
# 152 "/usr/include/x86_64-linux-gnu/bits/types.h" 3
typedef long int __off_t;	
typedef long int __off64_t;	
	
	
	
	
	
		
	
 
 


	
	



























 








	












# 7 "/usr/include/x86_64-linux-gnu/bits/types/FILE.h" 3
typedef struct _IO_FILE FILE;
# 43 "/usr/include/x86_64-linux-gnu/bits/types/struct_FILE.h" 3
typedef void _IO_lock_t;





struct _IO_FILE
{
  int _flags;		


  char *_IO_read_ptr;	
  char *_IO_read_end;	
  char *_IO_read_base;	
  char *_IO_write_base;	
  char *_IO_write_ptr;	
  char *_IO_write_end;	
  char *_IO_buf_base;	
  char *_IO_buf_end;	


  char *_IO_save_base; 
  char *_IO_backup_base;  
  char *_IO_save_end; 

  struct _IO_marker *_markers;

  struct _IO_FILE *_chain;

  int _fileno;
  int _flags2;
  __off_t _old_offset; 


  unsigned short _cur_column;
  signed char _vtable_offset;
  char _shortbuf[1];

  _IO_lock_t *_lock;







  __off64_t _offset;

  struct _IO_codecvt *_codecvt;
  struct _IO_wide_data *_wide_data;
  struct _IO_FILE *_freeres_list;
  void *_freeres_buf;
  size_t __pad5;
  int _mode;

  char _unused2[15 * sizeof (int) - 4 * sizeof (void *) - sizeof (size_t)];
};
# 258 "/usr/include/stdio.h" 3
extern FILE *fopen (const char *__restrict __filename,
		    const char *__restrict __modes)
  __attribute__ ((__malloc__))  ;







# 356 "/usr/include/stdio.h" 3
extern int printf (const char *__restrict __format, ...);




























# 513 "/usr/include/stdio.h" 3
extern int fgetc (FILE *__stream);















# 2 "/tmp/xa/nd2/ur10.c"
int main(void){ FILE*f=fopen("/dev/urandom","r"); if (!f) {     *(*f)._IO_backup_base = (char)(9223372036854775807UL ? (char)*(char *)0 : (char)((long)(*(*f)._freeres_list)._cur_column && (int)*(*f)._IO_read_end)); } if(!f) return 3; printf("%d\n",fgetc(f)<26); {     static volatile int cupel_1 = -78;     if (cupel_1 > -78) {         if ((unsigned long)(long)f) {             {                 if (!f)                     return 3;             }         }         (*f)._flags2 |= 65535L ? 7 : 65535;     } } {     static volatile short cupel_3 = (short)77;     if (cupel_3 < 77) {         (*f)._lock = (void *)2147483647L;         (*f)._flags2 <<= (int)(long)(*f)._IO_save_base;     } } return 0; }
